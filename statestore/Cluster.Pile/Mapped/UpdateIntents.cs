using Cluster.Pile.Memory;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Mapped;

/// <summary>
/// What updates of mapped objects are about to do, one record for each that is just replacing a payload, in a file of
/// its own: when the process dies in the middle, the next one finishes them. Owned by one pile; a record belongs to the
/// thread that claimed it.
/// </summary>
/// <remarks>
/// The new value stands complete in a slot of its own, the spare body, before the record is complete. So at any instant
/// the old value is whole, or the record leads to a whole new one. The layout is in
/// <c>docs/formats/mapped-files.md</c>.
/// </remarks>
internal sealed class UpdateIntents
{
    public const int RecordBytes = 64;
    public const int RecordCount = 255;

    /// <summary>The first record is the head of the file.</summary>
    public const long FileBytes = (RecordCount + 1) * RecordBytes;

    public const ulong Magic = 0x31544E49454C4950; // "PILEINT1"

    private const int MagicAt = 0;
    private const int PurgeAt = 8;
    private const int TypesAt = 16;

    private const int StageAt = 0;
    private const int GranuleAt = 8;
    private const int LockedAt = 16;
    private const int NextAt = 24;
    private const int SpareAt = 32;

    private const ulong Vacant = 0;
    private const ulong Claimed = 1;
    private const ulong Complete = 2;

    private readonly NativeWindow _window;

    public UpdateIntents(NativeWindow window) => _window = window;

    /// <summary>Whether the file is one of intents at all.</summary>
    public bool IsValid => _window.ReadWord(MagicAt) == Magic;

    /// <summary>Whether a purge was under way.</summary>
    public bool IsPurging => _window.ReadWord(PurgeAt) != 0;

    /// <summary>How many types the log must have, whatever became of its file.</summary>
    public long TypeCount
    {
        get => (long)_window.ReadWord(TypesAt);
        set => _window.WriteWord(TypesAt, (ulong)value);
    }

    /// <summary>Forgets all updates, and the purge, of a process that is dead.</summary>
    public void Reset()
    {
        for (long at = RecordBytes; at < FileBytes; at += sizeof(ulong))
            _window.WriteWord(at, 0);
        _window.WriteWord(PurgeAt, 0);
    }

    /// <summary>Notes a purge before its first step, until what is given is disposed after its last.</summary>
    public PurgeIntent BeginPurge()
    {
        _window.AddToWord(PurgeAt, 1);
        return new PurgeIntent(this);
    }

    public void EndPurge() => _window.AddToWord(PurgeAt, ulong.MaxValue);

    /// <summary>
    /// Notes an update whose owner this thread has locked, before its first store; gives what <see cref="End"/> takes.
    /// </summary>
    public long Begin(in UpdateIntent intent)
    {
        var record = Claim();
        _window.WriteWord(record + GranuleAt, (ulong)intent.Granule);
        _window.WriteWord(record + LockedAt, intent.Locked.Word);
        _window.WriteWord(record + NextAt, intent.Next.Word);
        _window.WriteWord(record + SpareAt, intent.Spare.Value);
        _window.WriteWord(record + StageAt, Complete);

        // No store of the update may be made before.
        Volatile.WriteBarrier();
        return record;
    }

    /// <summary>Forgets an update after its last store.</summary>
    public void End(long record) => _window.WriteWord(record + StageAt, Vacant);

    /// <summary>The updates that a dead process was in.</summary>
    public IEnumerable<UpdateIntent> Unfinished()
    {
        for (long record = RecordBytes; record < FileBytes; record += RecordBytes)
        {
            if (_window.ReadWord(record + StageAt) != Complete)
                continue;
            yield return new UpdateIntent(
                (long)_window.ReadWord(record + GranuleAt),
                new SlotHeader(_window.ReadWord(record + LockedAt)),
                new SlotHeader(_window.ReadWord(record + NextAt)),
                PilePointer.FromUInt64(_window.ReadWord(record + SpareAt)));
        }
    }

    // A thread that is interrupted while it has a record does not keep others waiting: there are more records than
    // threads that run, and whoever finds one claimed takes the next.
    private long Claim()
    {
        var spin = default(SpinWait);
        for (var index = Environment.CurrentManagedThreadId; ; index++)
        {
            var record = ((index % RecordCount) + 1L) * RecordBytes;
            if (_window.ReadWord(record) == Vacant && _window.TryExchangeWord(record, Vacant, Claimed))
                return record;
            if (index % RecordCount == RecordCount - 1)
                spin.SpinOnce(sleep1Threshold: -1);
        }
    }
}
