using System.Runtime.ExceptionServices;
using Cluster.Pile.Objects;
using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;
using Cluster.Pile.Views;

namespace Cluster.Pile.Cells;

/// <summary>Cells in native memory: a 64-bit id names a 16-bit type and bytes. Cells are never evicted, and share the
/// budget of the pile with all its other content. Thread-safe and linearizable per cell: reads take no lock, and a
/// change excludes other changes of the same cell. Created by <see cref="GetOrCreate"/>; lives as long as its
/// pile.</summary>
public sealed class CellTable
{
    /// <summary>The text that describes the form of the ids; a later process checks it when it finds the
    /// table.</summary>
    internal const string KeyForm = "int64";
    internal const string ValueForm = "cell";

    private readonly CellTables _tables;
    private readonly RecordStore _records;
    private readonly CellLocks _locks;

    internal CellTable(string name, CellTables tables, RecordStore records)
    {
        Name = name;
        _tables = tables;
        _records = records;
        _locks = new CellLocks(this, tables);
    }

    /// <summary>The name by which the pile knows the table.</summary>
    public string Name { get; }

    /// <summary>The number of cells; exact when no thread changes the table.</summary>
    public long Count
    {
        get
        {
            _records.ThrowIfDisposed();
            return _records.Count;
        }
    }

    /// <summary>The bytes of the pile that the table uses, including its index, in blocks of 64 KiB.</summary>
    public long ReservedBytes
    {
        get
        {
            _records.ThrowIfDisposed();
            return _records.ReservedBytes;
        }
    }

    internal RecordStore Records => _records;

    /// <summary>Returns the cell table with a name, and creates it when it does not exist. The same name returns the
    /// same table.</summary>
    /// <exception cref="ArgumentException">The name is empty or blank.</exception>
    /// <exception cref="PileFullException">The budget does not hold an empty table.</exception>
    public static CellTable GetOrCreate(LocalPile pile, string name)
    {
        ArgumentNullException.ThrowIfNull(pile);
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        pile.ThrowIfDisposed();
        return pile.Cells.GetOrCreate(name);
    }

    /// <summary>Stores a cell, and replaces the present cell with this id.</summary>
    /// <remarks>When the calling thread has the cell in use, this changes the content that its accessor stores when it
    /// is disposed.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">There are more than 1 GiB less 3 bytes.</exception>
    /// <exception cref="PileFullException">The budget does not hold the cell; the present cell is
    /// unchanged.</exception>
    /// <exception cref="PileBusyException">Another thread had the cell in use for <see cref="PileOptions.PinWait"/>;
    /// the cell is unchanged.</exception>
    [SkipLocalsInit]
    public void Save(long id, ushort type, ReadOnlySpan<byte> bytes)
    {
        CellErrors.IfNoCellLength(bytes.Length);
        _records.ThrowIfDisposed();
        if (_locks.TryFindOwn(id, out var own))
        {
            own.Replace(type, bytes);
            return;
        }

        // The bytes are copied while the processor fetches the bucket of the index.
        var hash = _records.Hash.OfInteger(id);
        _records.PrefetchBucket(hash);
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            var length = bytes.Length + CellValue.TypeBytes;
            if (length > scratch.Span.Length)
                scratch.Grow(length);
            CellValue.Write(scratch.Span, type, bytes);
            Check(Change(id, hash, scratch.Span[..length], isRemoval: false), length);
        }
        finally
        {
            scratch.Dispose();
        }
    }

    /// <summary>Copies a cell. False: the cell does not exist. Takes no lock and allocates nothing. When another thread
    /// has the cell in use, copies the content before that thread's changes.</summary>
    /// <param name="id">The cell.</param>
    /// <param name="destination">Receives the bytes of the cell.</param>
    /// <param name="length">The number of bytes of the cell.</param>
    /// <param name="type">The type of the cell.</param>
    /// <exception cref="ArgumentException">The destination is too small; nothing was copied.</exception>
    [SkipLocalsInit]
    public bool TryLoad(long id, Span<byte> destination, out int length, out ushort type)
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            if (!TryRead(id, ref scratch, out var bytes, out type))
            {
                length = 0;
                return false;
            }

            length = bytes.Length;
            if (length > destination.Length)
                CellErrors.CellDestinationTooSmall(length, destination.Length);
            bytes.CopyTo(destination);
            return true;
        }
        finally
        {
            scratch.Dispose();
        }
    }

    /// <summary>Returns the bytes of a cell as a new array. False: the cell does not exist.</summary>
    [SkipLocalsInit]
    public bool TryLoad(long id, [NotNullWhen(true)] out byte[]? bytes, out ushort type)
    {
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            bytes = TryRead(id, ref scratch, out var found, out type) ? found.ToArray() : null;
            return bytes is not null;
        }
        finally
        {
            scratch.Dispose();
        }
    }

    /// <summary>Whether the cell exists.</summary>
    public bool Contains(long id)
    {
        _records.ThrowIfDisposed();
        return _locks.TryFindOwn(id, out var own)
            ? own.Exists
            : _records.Read(RecordKey.Of(_records.Hash, in id), default, out _) != RecordStatus.Missing;
    }

    /// <summary>Removes a cell. False: the cell does not exist.</summary>
    /// <remarks>When the calling thread has the cell in use, this changes the content that its accessor stores when it
    /// is disposed.</remarks>
    /// <exception cref="PileBusyException">Another thread had the cell in use for <see cref="PileOptions.PinWait"/>;
    /// the cell is unchanged.</exception>
    public bool Remove(long id)
    {
        if (!_locks.TryFindOwn(id, out var own))
            return Change(id, _records.Hash.OfInteger(id), default, isRemoval: true) == RecordStatus.Found;
        var existed = own.Exists;
        own.Remove();
        return existed;
    }

    /// <summary>Takes a cell to read, change, resize or create it. No other thread changes the cell until the accessor
    /// is disposed: <c>using var cell = table.Use(id);</c>. The same thread may take the cell again.</summary>
    /// <param name="id">The cell; it need not exist.</param>
    /// <param name="file">Filled in by the compiler; reported when the accessor is never disposed.</param>
    /// <param name="line">Filled in by the compiler, too.</param>
    /// <exception cref="PileBusyException">Another thread had the cell in use for <see cref="PileOptions.PinWait"/>. Or
    /// this thread has another cell of the table in use; <see cref="UseMany"/> takes several cells safely.</exception>
    public CellAccessor Use(long id, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        if (!_locks.TryFindOwn(id, out var cellLock))
        {
            _locks.ThrowIfHolding(id);
            var waitBudget = default(WaitBudget);
            cellLock = Take(id, ref waitBudget);
        }

        return new CellAccessor(cellLock, cellLock.Open(file, line), isBorrowed: false);
    }

    /// <summary>Takes several cells at once, as <see cref="Use"/> takes one. Every thread takes them in the order of
    /// their ids, so that threads never wait for each other in a circle. An id may be given twice.</summary>
    /// <exception cref="PileBusyException">Other threads had cells in use for <see cref="PileOptions.PinWait"/> in
    /// total, or this thread has a cell of the table in use already and lacks one of these; no cell was
    /// taken.</exception>
    public CellAccessors UseMany(
        ReadOnlySpan<long> ids, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var order = ids.ToArray();
        Array.Sort(order);
        var taken = new List<CellLock>(order.Length);
        try
        {
            var waitBudget = default(WaitBudget);
            var isFirst = true;
            foreach (var id in order)
            {
                if (_locks.TryFindOwn(id, out _))
                    continue;
                if (isFirst)
                    _locks.ThrowIfHolding(id);
                isFirst = false;
                taken.Add(Take(id, ref waitBudget));
            }
        }
        catch
        {
            taken.ForEach(Release);
            throw;
        }

        var (cellLocks, owners) = (new CellLock[ids.Length], new long[ids.Length]);
        for (var index = 0; index < ids.Length; index++)
        {
            _locks.TryFindOwn(ids[index], out var cellLock);
            (cellLocks[index], owners[index]) = (cellLock!, cellLock!.Open(file, line));
        }

        return new CellAccessors(cellLocks, owners);
    }

    /// <summary>Enumerates the ids of all cells, in no useful order. A cell that exists during the whole enumeration is
    /// returned exactly once; one that is added or removed meanwhile may be missing.</summary>
    public IEnumerable<long> EnumerateIds()
    {
        _records.ThrowIfDisposed();
        var scan = RecordStore.BeginScan();
        while (TryNext(scan, out var id))
            yield return id;
    }

    /// <summary>Closes one accessor; does nothing when it is closed already.</summary>
    internal void Close(CellLock cellLock, long owner)
    {
        if (!cellLock.CloseLast(owner))
            return;
        try
        {
            Store(cellLock);
        }
        finally
        {
            Release(cellLock);
        }
    }

    /// <summary>Closes accessors that were taken together. Closes all of them, also when one cell cannot be
    /// stored.</summary>
    internal void Close(ReadOnlySpan<CellLock> cellLocks, ReadOnlySpan<long> owners)
    {
        PileException? failure = null;
        for (var index = 0; index < cellLocks.Length; index++)
        {
            try
            {
                Close(cellLocks[index], owners[index]);
            }
            catch (PileException caught)
            {
                failure ??= caught;
            }
        }

        if (failure is not null)
            ExceptionDispatchInfo.Throw(failure);
    }

    internal IEnumerable<CellLock> End() => _locks.End();

    private CellLock Take(long id, ref WaitBudget waitBudget)
    {
        var cellLock = _locks.Take(id, _records.Hash.OfInteger(id), ref waitBudget);
        try
        {
            Load(cellLock);
            return cellLock;
        }
        catch
        {
            Release(cellLock);
            throw;
        }
    }

    private void Release(CellLock cellLock) => _locks.Release(cellLock, _records.Hash.OfInteger(cellLock.Id));

    /// <summary>Reads the cell of a cell lock from the table; unsaved changes are lost.</summary>
    internal void Load(CellLock cellLock)
    {
        _records.ThrowIfDisposed();
        cellLock.Clear();
        var id = cellLock.Id;
        var key = RecordKey.Of(_records.Hash, in id);
        var room = cellLock.RoomFor(0);
        RecordFound found;
        while (_records.Read(key, room, out found) == RecordStatus.Found)
        {
            if (found.Length <= room.Length)
            {
                cellLock.SetFound(found.Length);
                return;
            }

            room = cellLock.RoomFor(found.Length);
        }
    }

    // The cells of a disposed pile are gone. The changes cannot be stored, and that is no error.
    private void Store(CellLock cellLock)
    {
        if (!cellLock.IsChanged || _tables.IsClosed)
            return;
        var id = cellLock.Id;
        var key = RecordKey.Of(_records.Hash, in id);
        if (!cellLock.Exists)
        {
            _records.Remove(key);
            return;
        }

        // A cell that was purged while its accessor was open is not created again.
        var form = new RecordForm { Condition = cellLock.Existed ? RecordCondition.Present : RecordCondition.Always };
        var record = cellLock.Record;
        Check(_records.Put(key, form, record), record.Length);
    }

    private RecordStatus Change(long id, ulong hash, ReadOnlySpan<byte> record, bool isRemoval)
    {
        var key = new RecordKey(hash, MemoryMarshal.AsBytes(new ReadOnlySpan<long>(in id)));
        var stripe = _locks.StripeOf(hash);
        var waitBudget = default(WaitBudget);
        while (!stripe.TryBeginChange(id))
            _locks.WaitFor(stripe, id, ref waitBudget);
        try
        {
            return isRemoval ? _records.Remove(key) : _records.Put(key, default, record);
        }
        finally
        {
            stripe.EndChange();
        }
    }

    private bool TryRead(long id, ref ScratchBuffer scratch, out ReadOnlySpan<byte> bytes, out ushort type)
    {
        _records.ThrowIfDisposed();
        if (_locks.TryFindOwn(id, out var own))
        {
            type = own.Type;
            bytes = own.Bytes;
            return own.Exists;
        }

        var key = RecordKey.Of(_records.Hash, in id);
        RecordFound found;
        while (_records.Read(key, scratch.Span, out found) == RecordStatus.Found)
        {
            if (found.Length <= scratch.Span.Length)
            {
                type = CellValue.TypeOf(scratch.Span[..found.Length]);
                bytes = scratch.Span[..CellValue.LengthOf(found.Length)];
                return true;
            }

            scratch.Grow(found.Length);
        }

        type = 0;
        bytes = default;
        return false;
    }

    private bool TryNext(RecordScan scan, out long id)
    {
        var isThere = _records.TryNext(scan, out var key);
        id = isThere ? MemoryMarshal.Read<long>(key) : 0;
        return isThere;
    }

    private void Check(RecordStatus status, int recordBytes)
    {
        if (status == RecordStatus.Full)
            throw _records.Full(sizeof(long), recordBytes);
    }
}
