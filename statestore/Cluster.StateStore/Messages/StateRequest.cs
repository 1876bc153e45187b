using Cluster.Slim.Messages;

namespace Cluster.StateStore.Messages;

/// <summary>One operation on one key, as it travels to the owner. Filled by the client, then only read until it is
/// answered. A client may fill an answered one for its next read of the state.</summary>
public sealed class StateRequest
{
    /// <summary>The message layout that this version of the library writes and reads.</summary>
    public const int CurrentFormatVersion = 2;

    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = CurrentFormatVersion;

    /// <summary>The identity of the caller's cluster. The store of another cluster does not execute the
    /// request.</summary>
    public Guid ClusterId { get; set; }

    /// <summary>What is asked for.</summary>
    public StateVerb Verb { get; init; }

    /// <summary>Which state: the hash of its name.</summary>
    public uint StateId { get; init; }

    /// <summary>The key's partition.</summary>
    public int Partition { get; set; }

    /// <summary>The partition's epoch as the caller knows it; the owner answers only at this epoch.</summary>
    public long Epoch { get; set; }

    /// <summary>The version of the caller's table.</summary>
    public long TableVersion { get; set; }

    /// <summary>The canonical bytes of the key.</summary>
    public byte[] Key { get; set; } = [];

    /// <summary>The serialized value or operation, where the verb has one. The bytes may lie in memory of the caller,
    /// or of the message that brought the request: nobody reads them after the request is answered.</summary>
    public SlimBytes Payload { get; init; }

    /// <summary>Whether a read waits until each node with a copy has confirmed that the owner is the owner.</summary>
    public bool IsStrict { get; init; }

    /// <summary>How old the value of a read may be, in ticks, so that a node with a copy may answer; zero: only the
    /// owner answers.</summary>
    public long MaxAgeTicks { get; init; }

    /// <summary>The number that the caller has chosen for its right to load a missing value, for
    /// <see cref="StateVerb.Load"/> and for the put of that value; zero: the put stores no loaded value.</summary>
    public long LoadToken { get; init; }

    /// <summary>Whether the caller gives its right to load back.</summary>
    public bool GivesLoadUp { get; init; }

    /// <summary>The version to replace, for <see cref="StateVerb.PutIfVersion"/>.</summary>
    public long ExpectedVersion { get; init; }

    /// <summary>The form of the expiry.</summary>
    public int ExpiryKind { get; init; }

    /// <summary>The ticks of the expiry: a span or a UTC instant, by its form.</summary>
    public long ExpiryTicks { get; init; }

    /// <summary>Where a scan goes on: zero, or the <see cref="StateReply.Cursor"/> of the reply before.</summary>
    public ulong Cursor { get; init; }

    /// <summary>Whether a scan reads keys alone.</summary>
    public bool IsWithoutValues { get; init; }

    /// <summary>The identity of the process that writes, new at each start; empty: the write is never
    /// repeated.</summary>
    public Guid Client { get; init; }

    /// <summary>The number of the write, counted from 1 by the process; the same in each attempt.</summary>
    public long Sequence { get; init; }

    /// <summary>The process repeats no write below this number.</summary>
    public long LowWater { get; init; }

    /// <summary>Which operation type: the hash of its name, for <see cref="StateVerb.Update"/>.</summary>
    public ulong OperationId { get; init; }
}
