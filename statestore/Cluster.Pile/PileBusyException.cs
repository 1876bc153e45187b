namespace Cluster.Pile;

/// <summary>
/// What should change or end is in use: a view, a pin or a lease holds it. Nothing was changed; let the holder
/// finish and try again. Immutable.
/// </summary>
public sealed class PileBusyException : PileException
{
    internal PileBusyException(string message)
        : base(message)
    {
    }
}
