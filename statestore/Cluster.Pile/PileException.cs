namespace Cluster.Pile;

/// <summary>The root of the operating errors of a pile, and of libraries that keep memory in it. Immutable.</summary>
/// <param name="message">What was expected, what was found, and what can be done.</param>
/// <param name="inner">The cause; null when there is none.</param>
public abstract class PileException(string message, Exception? inner = null) : Exception(message, inner);
