namespace Cluster.Pile.Cells;

/// <summary>Gives one thread one cell to read, change and resize. While the accessor is open, no other thread changes
/// the cell: a thread that tries waits up to <see cref="PileOptions.PinWait"/>; readers continue and see the old
/// content. The changes are stored in one step when the last accessor of the cell is disposed. Belongs to the thread
/// that took it. An immutable value; <c>default</c> is closed.</summary>
/// <remarks>Dispose each accessor. Disposing it again, or disposing a copy, does nothing. An accessor that is never
/// disposed keeps its cell as long as its thread lives; its changes are not stored, and it is reported to
/// <see cref="PileOptions.CellAccessorAbandoned"/>. Spans are valid until the cell is resized, replaced or disposed. A
/// span that is used later shows other bytes, but never faults.</remarks>
public readonly ref struct CellAccessor : IDisposable
{
    private readonly CellLock? _lock;
    private readonly long _owner;
    private readonly bool _isBorrowed;

    internal CellAccessor(CellLock cellLock, long owner, bool isBorrowed)
    {
        _lock = cellLock;
        _owner = owner;
        _isBorrowed = isBorrowed;
    }

    /// <summary>The id of the cell.</summary>
    public long Id => Lock.Id;

    /// <summary>Whether the cell exists. <see cref="Resize"/> and <see cref="Replace"/> create it.</summary>
    public bool Exists => Lock.Exists;

    /// <summary>The type of the cell; zero when the cell does not exist.</summary>
    public ushort Type => Lock.Type;

    /// <summary>The number of bytes of the cell.</summary>
    public int Length => Lock.Length;

    /// <summary>The bytes of the cell, for reading.</summary>
    public ReadOnlySpan<byte> Bytes => Lock.Bytes;

    private CellLock Lock
    {
        get
        {
            if (_lock is null || !_lock.IsOpen(_owner))
                CellErrors.AccessorDisposed();
            return _lock;
        }
    }

    /// <summary>The bytes of the cell, for changes; they are stored when the accessor is disposed.</summary>
    public Span<byte> Edit()
    {
        Lock.Edit();
        return _lock!.Bytes;
    }

    /// <summary>Gives the cell another type. Without a cell, the type is kept for the cell that is created.</summary>
    public void SetType(ushort type) => Lock.SetType(type);

    /// <summary>Makes the cell longer, with zeros after its bytes, or shorter; creates the cell when it does not
    /// exist.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative, or more than 1 GiB less 3
    /// bytes.</exception>
    public void Resize(int length)
    {
        CellErrors.IfNoCellLength(length);
        Lock.Resize(length);
    }

    /// <summary>Replaces type and bytes; creates the cell when it does not exist.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There are more than 1 GiB less 3 bytes.</exception>
    public void Replace(ushort type, ReadOnlySpan<byte> bytes)
    {
        CellErrors.IfNoCellLength(bytes.Length);
        Lock.Replace(type, bytes);
    }

    /// <summary>Removes the cell when the accessor is disposed.</summary>
    public void Remove() => Lock.Remove();

    /// <summary>Discards all changes: the cell stays as it was before this thread took it. The accessor stays open, and
    /// later changes are stored.</summary>
    public void Discard()
    {
        var cellLock = Lock;
        cellLock.Table.Load(cellLock);
    }

    /// <summary>Stores the changes and releases the cell, unless another accessor of this thread has the cell
    /// open.</summary>
    /// <exception cref="PileFullException">The budget does not hold the cell; the stored cell is unchanged, and is
    /// released.</exception>
    public void Dispose()
    {
        if (_lock is not null && !_isBorrowed)
            _lock.Table.Close(_lock, _owner);
    }
}

/// <summary>The call that took an accessor which was never disposed. Immutable.</summary>
/// <param name="Table">The name of the table.</param>
/// <param name="Id">The cell.</param>
/// <param name="File">The source file with the call.</param>
/// <param name="Line">The line of that call.</param>
public sealed record CellAccessorOrigin(string Table, long Id, string File, int Line);
