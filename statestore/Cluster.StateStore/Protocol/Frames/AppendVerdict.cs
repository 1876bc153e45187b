namespace Cluster.StateStore.Protocol.Frames;

/// <summary>What a backup did with the entries of one partition.</summary>
internal enum AppendVerdict : byte
{
    /// <summary>They are in its log.</summary>
    Taken,

    /// <summary>It lacks the entry before the first one.</summary>
    Gap,

    /// <summary>The store has confirmed another epoch to it.</summary>
    OtherEpoch,

    /// <summary>It holds no replica that takes them.</summary>
    NotHere,

    /// <summary>It has no room.</summary>
    Full,
}
