using Cluster.Pile.Layout;
using Cluster.Pile.Memory;
using Cluster.Slim.Hosting;

namespace Cluster.Pile.Mapped.Intents;

/// <summary>The file of the updates that are replacing a payload of a mapped pile, one record for each. When the
/// process dies during an update, the next process finishes it. Owned by one pile; a record belongs to the thread that
/// claimed it; the lock guards the number of running purges.</summary>
/// <remarks>The whole new value is in a slot of its own, the spare body, before the record is complete. So at any
/// instant the old value is whole, or the record leads to a whole new value. The layout is in
/// <c>docs/formats/mapped-files.md</c>.</remarks>
internal sealed class UpdateIntents
{
    public const int RecordBytes = 64;
    public const int RecordCount = 255;

    /// <summary>The file has one more record: the first one is the head of the file.</summary>
    public const long FileBytes = (RecordCount + 1) * RecordBytes;

    public const ulong Magic = 0x31544E49454C4950; // "PILEINT1"

    /// <summary>The mark of a purge; valid only together with the check after it.</summary>
    public const ulong PurgeMark = 0x47525550454C4950; // "PILEPURG"

    private const int MagicAt = 0;
    private const int PurgeAt = 8;
    private const int TypesAt = 16;
    private const int PurgeCheckAt = 24;

    private const int StageAt = 0;
    private const int GranuleAt = 8;
    private const int LockedAt = 16;
    private const int NextAt = 24;
    private const int SpareAt = 32;

    private const ulong Vacant = 0;
    private const ulong Claimed = 1;
    private const ulong Complete = 2;

    private readonly NativeWindow _window;
    private readonly ulong _purgeCheck;
    private readonly Lock _gate = new();
    private int _purges;

    /// <summary>The intents of the pile with this identity.</summary>
    public UpdateIntents(NativeWindow window, ulong identity) =>
        (_window, _purgeCheck) = (window, PurgeCheckOf(identity));

    /// <summary>Whether a purge was under way.</summary>
    public bool IsPurging => _window.ReadWord(PurgeAt) == PurgeMark && _window.ReadWord(PurgeCheckAt) == _purgeCheck;

    /// <summary>How many types the type log must have, even if its file is shorter.</summary>
    public long TypeCount
    {
        get => (long)_window.ReadWord(TypesAt);
        set => _window.WriteWord(TypesAt, (ulong)value);
    }

    /// <summary>The check that follows the mark of a purge. It differs in each folder, so that neither damage nor the
    /// file of another folder can request a purge.</summary>
    public static ulong PurgeCheckOf(ulong identity)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, identity);
        return XxHash3.Hash(bytes, PurgeMark);
    }

    /// <summary>Describes content of the file that no process writes; null when there is none. After a clean shutdown
    /// no update may be in progress.</summary>
    public string? FindDamage(bool isClean)
    {
        if (_window.ReadWord(MagicAt) != Magic)
            return $"bytes {MagicAt}..{MagicAt + 7} must be the number {Magic:x16}.";
        var purge = _window.ReadWord(PurgeAt);
        if (purge != 0 && (isClean || !IsPurging))
        {
            return $"bytes {PurgeAt}..{PurgeAt + 7} are {purge:x16}, which no purge leaves there, so nothing was "
                + $"purged. 0 stands for no purge, and {PurgeMark:x16} with its check for one. A program before this "
                + "version wrote 1 or 2 there while it purged.";
        }

        for (long record = RecordBytes; record < FileBytes; record += RecordBytes)
        {
            var stage = _window.ReadWord(record + StageAt);
            if (stage > Complete || (isClean && stage != Vacant))
                return $"bytes {record}..{record + 7} are {stage:x16}, which is no stage of an update here.";
        }

        return null;
    }

    /// <summary>Removes all updates, and the purge, of a dead process.</summary>
    public void Reset()
    {
        for (long at = RecordBytes; at < FileBytes; at += sizeof(ulong))
            _window.WriteWord(at, 0);
        UnmarkPurge();
    }

    /// <summary>Marks a purge before its first step; the caller disposes the result after the last step.</summary>
    public PurgeIntent BeginPurge()
    {
        lock (_gate)
        {
            if (_purges++ == 0)
            {
                _window.WriteWord(PurgeCheckAt, _purgeCheck);
                _window.WriteWord(PurgeAt, PurgeMark);
            }
        }

        return new PurgeIntent(this);
    }

    public void EndPurge()
    {
        lock (_gate)
        {
            if (--_purges == 0)
                UnmarkPurge();
        }
    }

    /// <summary>Writes the intent of an update whose owner this thread has locked, before the first store of the
    /// update. Returns the record for <see cref="End"/>.</summary>
    public long Begin(in UpdateIntent intent)
    {
        var record = Claim();
        _window.WriteWord(record + GranuleAt, (ulong)intent.Granule);
        _window.WriteWord(record + LockedAt, intent.Locked.Word);
        _window.WriteWord(record + NextAt, intent.Next.Word);
        _window.WriteWord(record + SpareAt, intent.Spare.Value);
        _window.WriteWord(record + StageAt, Complete);

        // The update may store nothing before this record is complete.
        Volatile.WriteBarrier();
        return record;
    }

    /// <summary>Clears the record of an update after its last store.</summary>
    public void End(long record) => _window.WriteWord(record + StageAt, Vacant);

    /// <summary>The updates that a dead process had in progress.</summary>
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

    // The mark is cleared first, so that it never stays without its check.
    private void UnmarkPurge()
    {
        _window.WriteWord(PurgeAt, 0);
        _window.WriteWord(PurgeCheckAt, 0);
    }

    // A thread that is interrupted while it holds a record does not block others: there are more records than
    // running threads, and a thread that finds a record claimed takes the next one.
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

/// <summary>One update that replaces the payload in an owner's slot. An immutable value.</summary>
/// <param name="Granule">The granule of the owner.</param>
/// <param name="Locked">The owner's header while it is locked.</param>
/// <param name="Next">The owner's header after the update.</param>
/// <param name="Spare">The marked slot that holds the whole new value.</param>
internal readonly record struct UpdateIntent(long Granule, SlotHeader Locked, SlotHeader Next, PilePointer Spare);
