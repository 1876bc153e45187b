namespace Cluster.StateStore.Hosting.States;

/// <summary>Marks the thread while an operation's code runs on it, so that states can refuse a use from inside: such a
/// call would block the thread, and the operation may run again. The mark is thread-static.</summary>
internal static class OperationScope
{
    [ThreadStatic]
    private static bool _isInside;

    public static ValueBuffer? Run(
        RecordChange change, ReadOnlyMemory<byte>? present, in OperationContext context)
    {
        _isInside = true;
        try
        {
            return change.Run(present, context);
        }
        finally
        {
            _isInside = false;
        }
    }

    public static void ThrowIfInside(string state)
    {
        if (!_isInside)
            return;
        throw new InvalidOperationException(
            $"State '{state}' cannot be used from inside a state operation; pass what the operation needs as its "
            + "fields.");
    }
}
