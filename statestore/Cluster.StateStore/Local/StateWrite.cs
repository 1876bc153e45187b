using Cluster.StateStore.Messages;
using Cluster.StateStore.Records;

namespace Cluster.StateStore.Local;

/// <summary>One write that needs no user code: put, conditional put, removal, touch. Immutable.</summary>
/// <param name="Verb">Which of them.</param>
/// <param name="Key">The key.</param>
/// <param name="Ordinal">The state's place in the catalog, for the counters.</param>
/// <param name="Expiry">When the value goes away; never the default form.</param>
internal readonly record struct StateWrite(StateVerb Verb, StateKey Key, int Ordinal, StateExpiry Expiry)
{
    /// <summary>The record to store, complete but for version and expiry; null where the write stores
    /// nothing.</summary>
    public RecordBuffer? Record { get; init; }

    public long ExpectedVersion { get; init; }
}
