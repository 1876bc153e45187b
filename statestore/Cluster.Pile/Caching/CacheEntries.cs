using Cluster.Pile.Expiry;
using Cluster.Pile.Objects;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Caching;

/// <summary>The entries of one table as key bytes and payloads: sets and renews their expiry. Safe for many threads;
/// the record store protects the entries.</summary>
internal sealed class CacheEntries(RecordTables tables, RecordStore store, LifeRules life)
{
    private readonly RecordTables _tables = tables;
    private readonly RecordStore _store = store;
    private readonly LifeRules _life = life;

    public RecordStore Store => _store;

    public CacheCounters Counters { get; } = new();

    /// <summary>The limit of the table in bytes. A lower limit evicts the excess, in a table that may evict.</summary>
    public long? BytesMax
    {
        get => _store.Options.LimitBytes is var bytes && bytes == _tables.LimitBytesMax ? null : bytes;
        set => _tables.Change(_store, _store.Options with { LimitBytes = _tables.LimitOf(value) });
    }

    /// <summary>The limit of the table in entries. A lower limit evicts the excess, in a table that may
    /// evict.</summary>
    public long? EntriesMax
    {
        get => _store.Options.LimitRecords is var entries && entries == long.MaxValue ? null : entries;
        set => _tables.Change(_store, _store.Options with { LimitRecords = value ?? long.MaxValue });
    }

    /// <summary>Stores an entry, under the condition if one is given.</summary>
    public PutResult Put(
        in RecordKey key, RecordKind kind, ReadOnlySpan<byte> payload, in EntryOptions terms, RecordCondition condition)
    {
        var life = _life.LifeOf(terms);
        var form = new RecordForm
        {
            Kind = kind,
            Priority = (byte)terms.Priority,
            IsTimed = life.IsTimed,
            Deadline = life.Deadline,
            Condition = condition,
        };
        var status = life.Bounds is { } bounds
            ? PutBounded(key, form, payload, bounds)
            : _store.Put(key, form, payload);
        return Counters.CountPut(status);
    }

    /// <summary>Copies the payload of an entry if the destination holds all of it, and gives its length in both cases.
    /// Reads of a sliding table extend the time to live.</summary>
    public bool TryRead(in RecordKey key, Span<byte> destination, in ReadOptions terms, out EntryFound found)
    {
        var status = terms.IsGlance
            ? _store.Glance(key, destination, out var record)
            : _store.Read(key, destination, out record);
        if (status != RecordStatus.Found || _life.IsTooOld(record.Times, terms.AgeMax))
        {
            found = default;
            return false;
        }

        if (!EntryLife.HasBounds(record.Times.Deadline))
        {
            found = new EntryFound(record.Kind, record.Length);
            return true;
        }

        if (!terms.IsGlance && record.Length <= destination.Length)
            Slide(key, record, destination[..record.Length]);
        return TryReadBounded(key, destination, record, out found);
    }

    /// <summary>Gives an entry the age zero. False: there is none.</summary>
    public bool Rejuvenate(in RecordKey key)
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            while (true)
            {
                if (_store.Read(key, scratch.Span, out var record) != RecordStatus.Found)
                    return false;
                if (record.Times == default)
                    return true;
                if (EntryLife.HasBounds(record.Times.Deadline) && record.Length > scratch.Span.Length)
                {
                    scratch.Grow(record.Length);
                    continue;
                }

                // The entry has changed: the new value has other times.
                var status = Rejuvenate(key, record, scratch.Span);
                if (status != RecordStatus.Kept)
                    return status == RecordStatus.Found;
            }
        }
        finally
        {
            scratch.Dispose();
        }
    }

    private RecordStatus PutBounded(
        in RecordKey key, in RecordForm form, ReadOnlySpan<byte> payload, EntryBounds bounds)
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            var length = payload.Length + EntryBounds.Bytes;
            if (length > scratch.Span.Length)
                scratch.Grow(length);
            payload.CopyTo(scratch.Span);
            bounds.WriteTo(scratch.Span[payload.Length..]);
            return _store.Put(key, form, scratch.Span[..length]);
        }
        finally
        {
            scratch.Dispose();
        }
    }

    // The payload alone may fit where payload and bounds do not.
    private bool TryReadBounded(
        in RecordKey key, Span<byte> destination, RecordFound record, out EntryFound found)
    {
        found = new EntryFound(record.Kind, record.Length - EntryBounds.Bytes);
        if (record.Length <= destination.Length || found.Length > destination.Length)
            return true;
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            // Large enough for this value; the next read succeeds unless the value grows again.
            scratch.Grow(record.Length);
            if (!TryRead(key, scratch.Span, default, out found))
                return false;
            if (found.Length <= Math.Min(destination.Length, scratch.Span.Length))
                scratch.Span[..found.Length].CopyTo(destination);
            else
                found = found with { Length = Math.Max(found.Length, destination.Length + 1) };
            return true;
        }
        finally
        {
            scratch.Dispose();
        }
    }

    // A thread that has changed the entry since has renewed it anyway.
    private void Slide(in RecordKey key, RecordFound record, ReadOnlySpan<byte> value)
    {
        if (!_life.IsSliding)
            return;
        var deadline = _life.Renewed(record.Times, EntryBounds.ReadFrom(value));
        if (DeadlineSteps.OfRecords.Until(deadline, record.Times.Deadline) > 0)
            _store.SetTimes(key, new RecordTimes(deadline, record.Times.Put), record.Token);
    }

    private RecordStatus Rejuvenate(in RecordKey key, RecordFound record, ReadOnlySpan<byte> destination)
    {
        EntryBounds? bounds = EntryLife.HasBounds(record.Times.Deadline)
            ? EntryBounds.ReadFrom(destination[..record.Length])
            : null;
        var times = new RecordTimes(_life.Renewed(record.Times, bounds), _store.Clock.Now);
        return _store.SetTimes(key, times, record.Token);
    }
}

/// <summary>The result of a read. An immutable value.</summary>
/// <param name="Kind">The kind of the value.</param>
/// <param name="Length">Its bytes; when this is more than the destination has, nothing useful was copied.</param>
internal readonly record struct EntryFound(RecordKind Kind, int Length);
