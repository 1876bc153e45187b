namespace Cluster.Pile;

/// <summary>The root of the operating errors of a pile. Immutable.</summary>
public abstract class PileException : Exception
{
    /// <summary>An error of a pile, or of a library that keeps memory in it.</summary>
    /// <param name="message">What was expected, what was found, and what can be done.</param>
    /// <param name="inner">The cause; null when there is none.</param>
    protected PileException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
