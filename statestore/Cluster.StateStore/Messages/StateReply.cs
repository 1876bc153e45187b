using Cluster.Slim.Messages;

namespace Cluster.StateStore.Messages;

/// <summary>The answer to a <see cref="StateRequest"/>. Filled once by the owner, then only read.</summary>
public sealed class StateReply
{
    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = StateRequest.CurrentFormatVersion;

    /// <summary>How the request ended.</summary>
    public StateReplyStatus Status { get; init; }

    /// <summary>The version of the responder's table.</summary>
    public long TableVersion { get; init; }

    /// <summary>The version of the value that was read or written; zero where there is none.</summary>
    public long Version { get; init; }

    /// <summary>The serialized value or the operation's serialized result. The caller who reads it returns its
    /// memory.</summary>
    public SlimBytes Payload { get; init; }

    /// <summary>Whether each read starts the life of the value anew, so that nobody else may answer reads.</summary>
    public bool IsSliding { get; init; }

    /// <summary>Where a scan goes on; zero at its end.</summary>
    public ulong Cursor { get; init; }

    /// <summary>What the operation threw, when it has failed.</summary>
    public StateFailure? Failure { get; init; }

    /// <summary>What the responder knows about the partition, when it has moved.</summary>
    public MovedPartition? Moved { get; init; }

    /// <summary>What is wrong, in words, when the request was not executed.</summary>
    public string? Message { get; init; }
}
