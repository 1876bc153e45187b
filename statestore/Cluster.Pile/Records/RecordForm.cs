namespace Cluster.Pile.Records;

/// <summary>What is to be stored beside key and value. An immutable value; <c>default</c> is plain bytes.</summary>
internal readonly record struct RecordForm
{
    /// <summary>What the value is.</summary>
    public RecordKind Kind { get; init; }

    /// <summary>What lower priorities never displace.</summary>
    public byte Priority { get; init; }

    /// <summary>Whether the record keeps the time of the put; needed for a deadline and to ask for its age.</summary>
    public bool IsTimed { get; init; }

    /// <summary>The step of the <see cref="RecordClock"/> from which on the record is gone; zero for none.</summary>
    public uint Deadline { get; init; }

    /// <summary>When the record is stored at all.</summary>
    public RecordCondition Condition { get; init; }

    /// <summary>The token that <see cref="RecordCondition.Unchanged"/> asks for.</summary>
    public ulong Token { get; init; }

    /// <summary>Room to take, so that the value can grow in place; up to 248 bytes more than it has.</summary>
    public int RoomBytes { get; init; }
}
