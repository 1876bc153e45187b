namespace Cluster.Pile;

/// <summary>The root of the operating errors of a pile. Immutable.</summary>
public abstract class PileException : Exception
{
    private protected PileException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
