namespace Cluster.Nodes.Storage.Writing;

/// <summary>The answer of a <see cref="IStorageWriter"/>. Filled once, then only read.</summary>
public sealed class FlushReply
{
    /// <summary>Why the storage does not have the revision, as a sentence; null: it has.</summary>
    public string? Failure { get; init; }

    /// <summary>Whether the node stops or does not own the key any more, so that the next owner is to be
    /// asked.</summary>
    public bool IsElsewhere { get; init; }

    internal static FlushReply Done { get; } = new();

    internal static FlushReply Stopping { get; } =
        new() { IsElsewhere = true, Failure = "the owner of the key stops." };

    internal static FlushReply Elsewhere { get; } = new() { IsElsewhere = true, Failure = "the key has moved." };
}
