namespace Cluster.StateStore.Protocol.Logs;

/// <summary>What a log entry does to its record.</summary>
internal enum EntryKind : byte
{
    /// <summary>Sets value and expiry.</summary>
    Put,

    /// <summary>Removes the record.</summary>
    Remove,

    /// <summary>Sets the expiry alone. The value comes along while a copy is made, because the target may not have the
    /// record yet.</summary>
    Touch,

    /// <summary>Removes the record because its life is over.</summary>
    Expire,

    /// <summary>Changes no record; it remembers the answer to a request.</summary>
    Remember,
}
