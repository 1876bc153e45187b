namespace Cluster.StateStore.Protocol.Basics;

/// <summary>A known mistake that tests build into the protocol, to show that the simulator finds it. Only tests hand
/// one to the core; no option reaches it. The numbers are those of the design.</summary>
internal enum Mutant
{
    /// <summary>The protocol as it is.</summary>
    None,

    /// <summary>M1: reads need no lease.</summary>
    NoReadLease,

    /// <summary>M2: a lease counts from the receipt of the acknowledgement.</summary>
    LeaseFromReceipt,

    /// <summary>M3: a write is acknowledged without a silent backup, though the table still lists it.</summary>
    AcknowledgeAfterTimeout,

    /// <summary>M4: the grace is shorter than the lease.</summary>
    ShortGrace,

    /// <summary>M5: backups take entries of any epoch, also when they have become primaries.</summary>
    NoEpochCheck,

    /// <summary>M6: a backup serves as soon as it finds the primary silent.</summary>
    OwnViewOfHealth,

    /// <summary>M7: a backup acknowledges beacons for a partition after it proposed a takeover.</summary>
    AcknowledgeAfterTakeover,

    /// <summary>M8: the first of several leases is enough.</summary>
    FirstLease,

    /// <summary>M9: a sealed partition answers reads.</summary>
    ReadWhileSealed,

    /// <summary>M10: writes during an undecided T3 do not wait for the target.</summary>
    JoinWithoutTarget,

    /// <summary>M11: a promotion commits its tail before the others have it.</summary>
    CommitOnPromotion,

    /// <summary>M12: a primary shrinks the in-sync set although it hears nobody.</summary>
    IsolatedShrink,

    /// <summary>M13: backups run operations again.</summary>
    RunAgainOnBackups,

    /// <summary>M14: backups remove expired records by their own clock.</summary>
    BackupsExpire,

    /// <summary>M15: a copy leaves the answered requests out.</summary>
    RequestsNotCopied,

    /// <summary>M16: the age of a backup's content counts from the receipt of the answer, not from the
    /// question.</summary>
    AgeFromReceipt,

    /// <summary>M17: a planned move waits until all other moves of the node are ready, too.</summary>
    WaitForSlowest,

    /// <summary>M18: a partition is sealed before its content is copied.</summary>
    SealBeforeCopy,

    /// <summary>M19: a loss is counted after the content was dropped.</summary>
    CountLossLate,

    /// <summary>M20: a node adopts the table of another cluster.</summary>
    ForeignTable,

    /// <summary>M21: a replica stops serving because another node claims a newer epoch.</summary>
    SealOnClaim,

    /// <summary>M22: a copy counts the remaining life of records with the clock of the receiver.</summary>
    ReceiversClock,

    /// <summary>M23: during an undecided T3, the lease leaves the target out.</summary>
    LeaseWithoutTarget,

    /// <summary>M24: a grace counts from the last beacon, though the partition was learned later.</summary>
    GraceFromBeacon,

    /// <summary>M25: a lost partition is restored from any snapshot, not from the newest one.</summary>
    AnySnapshot,

    /// <summary>M26: a lost partition is given away before all nodes with snapshots are back.</summary>
    RestoreAtOnce,

    /// <summary>M27: a partition is served while its snapshot is being loaded.</summary>
    ServeWhileLoading,

    /// <summary>M28: the mark of a partition rises before the records change.</summary>
    MarkBeforeRecords,

    /// <summary>M29: a primary sends the difference to a base although its log does not have the entry of the
    /// base.</summary>
    BaseWithoutProof,

    /// <summary>M30: a target whose base was refused keeps it, and takes the copy on top.</summary>
    CopyOverBase,
}
