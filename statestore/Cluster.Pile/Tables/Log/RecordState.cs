namespace Cluster.Pile.Tables.Log;

/// <summary>The state of a record; three bits of its header. The numbers are part of the format.</summary>
internal enum RecordState
{
    /// <summary>No record was written here yet.</summary>
    Blank = 0,

    /// <summary>An entry of the table.</summary>
    Live = 1,

    /// <summary>A thread is writing the record, for the first time or in place.</summary>
    Busy = 2,

    /// <summary>Removed, replaced or moved; the rest of the header still gives the length.</summary>
    Dead = 3,

    /// <summary>Removed, but the object that it owned still has to be deleted.</summary>
    Owing = 4,
}
