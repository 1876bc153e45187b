using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Local;

/// <summary>Marks the thread while an operation's code runs on it, so that states can refuse a use from inside: such a
/// call could wait for the key that the operation holds. The mark is thread-static.</summary>
internal static class OperationScope
{
    [ThreadStatic]
    private static bool _isInside;

    public static RecordBuffer? Run(RecordChange change, RecordBuffer? present, in OperationContext context)
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
