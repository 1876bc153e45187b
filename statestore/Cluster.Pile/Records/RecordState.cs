namespace Cluster.Pile.Records;

/// <summary>What a record is at the moment; three bits of its header. The numbers are part of the format.</summary>
internal enum RecordState
{
    /// <summary>Nothing was written here yet.</summary>
    Blank = 0,

    /// <summary>An entry of the table.</summary>
    Live = 1,

    /// <summary>Just being written, for the first time or in place.</summary>
    Busy = 2,

    /// <summary>Removed, replaced or moved; the rest of the header still says how long it is.</summary>
    Dead = 3,

    /// <summary>Dead but for the object that it owned, which is still to be deleted.</summary>
    Owing = 4,
}
