using Cluster.Nodes.AspNetCore.Refusals;
using Cluster.StateStore;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Tells and counts what the hybrid cache does not keep, and what the cluster does not give it. Immutable and
/// thread-safe.</summary>
/// <param name="metrics">Counts.</param>
/// <param name="logger">Tells.</param>
internal sealed partial class HybridRefusals(RefusalMetrics metrics, ILogger<ClusterHybridCache> logger)
{
    /// <summary>A key has no visible character.</summary>
    public void NoteEmptyKey()
    {
        LogEmptyKey(logger);
        Count(RefusalReason.KeyInvalid);
    }

    /// <summary>A key is too long.</summary>
    public void NoteLongKey(int length, int limit)
    {
        LogLongKey(logger, length, limit);
        Count(RefusalReason.KeyTooLong);
    }

    /// <summary>A key has characters that no key may have.</summary>
    public void NoteUnprintableKey()
    {
        LogUnprintableKey(logger);
        Count(RefusalReason.KeyInvalid);
    }

    /// <summary>A tag is too long, or no text.</summary>
    public void NoteBadTag(int limit)
    {
        LogBadTag(logger, limit);
        Count(RefusalReason.KeyInvalid);
    }

    /// <summary>A value is too large for this process.</summary>
    public void NoteTooLarge(int limit)
    {
        LogTooLarge(logger, limit);
        Count(RefusalReason.ValueTooLarge);
    }

    /// <summary>The serializer of this process refuses a value.</summary>
    public void NoteRefused(Exception refusal)
    {
        LogRefused(logger, LogText.Clean(refusal));
        Count(RefusalReason.Refused);
    }

    /// <summary>The generations of tags could not be read.</summary>
    public void NoteTagFailure(StateException failure)
    {
        LogTagFailure(logger, LogText.Clean(failure));
        Count(ReasonOf(failure));
    }

    /// <summary>An entry could not be read.</summary>
    public void NoteReadFailure(StateException failure)
    {
        LogReadFailure(logger, LogText.Clean(failure));
        Count(ReasonOf(failure));
    }

    /// <summary>An entry could not be stored.</summary>
    public void NoteWriteFailure(StateException failure)
    {
        if (failure is StateRefusedException)
            LogRefusedByState(logger, LogText.Clean(failure));
        else
            LogWriteFailure(logger, LogText.Clean(failure));
        Count(ReasonOf(failure));
    }

    private static RefusalReason ReasonOf(StateException failure) =>
        failure is StateRefusedException ? RefusalReason.Refused : RefusalReason.Unreachable;

    private void Count(RefusalReason reason) => metrics.Count(HybridEntry.StateName, reason);
}
