using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Engine;

/// <summary>One write that needs no user code: put, conditional put, removal, touch. Immutable.</summary>
/// <param name="Verb">Which of them.</param>
/// <param name="Key">The key.</param>
/// <param name="Expiry">When the value goes away; never the default form.</param>
internal readonly record struct StateWrite(StateVerb Verb, HashedKey Key, StateExpiry Expiry)
{
    /// <summary>The serialized value; empty where the write stores nothing.</summary>
    public ReadOnlyMemory<byte> Value { get; init; }

    public long ExpectedVersion { get; init; }
}
