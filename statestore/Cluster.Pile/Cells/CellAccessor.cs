namespace Cluster.Pile.Cells;

/// <summary>One cell in the hands of one thread, to be read, changed and resized. While it is open, no other thread
/// changes the cell: a thread that tries waits up to <see cref="PileOptions.PinWait"/>; readers go on and see the cell
/// as it was. What was changed is stored in one step when the last accessor of the cell is disposed. Belongs to the
/// thread that took it; an immutable value, <c>default</c> is closed.</summary>
/// <remarks>An accessor is to be disposed; doing it again, or with a copy, does nothing. One that is never disposed
/// keeps its cell as long as its thread lives, its changes are not stored, and it is reported to
/// <see cref="PileOptions.CellAccessorAbandoned"/>. Spans are good until the cell is resized, replaced or disposed; one
/// kept longer shows other bytes and faults never.</remarks>
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

    /// <summary>Whether there is a cell; <see cref="Resize"/> and <see cref="Replace"/> make it.</summary>
    public bool Exists => Lock.Exists;

    /// <summary>Its type; zero when there is none.</summary>
    public ushort Type => Lock.Type;

    /// <summary>How many bytes it has.</summary>
    public int Length => Lock.Length;

    /// <summary>Its bytes, to be read.</summary>
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

    /// <summary>Its bytes, to be changed; the cell is stored when the accessor is disposed.</summary>
    public Span<byte> Edit()
    {
        Lock.Edit();
        return _lock!.Bytes;
    }

    /// <summary>Gives the cell another type. Without a cell, the type is kept for the cell that is created.</summary>
    public void SetType(ushort type) => Lock.SetType(type);

    /// <summary>Makes the cell longer, with zeros behind its bytes, or shorter; makes it when there is none.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative, or more than 1 GiB less 3
    /// bytes.</exception>
    public void Resize(int length)
    {
        CellErrors.IfNoCellLength(length);
        Lock.Resize(length);
    }

    /// <summary>Replaces type and bytes; makes the cell when there is none.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There are more than 1 GiB less 3 bytes.</exception>
    public void Replace(ushort type, ReadOnlySpan<byte> bytes)
    {
        CellErrors.IfNoCellLength(bytes.Length);
        Lock.Replace(type, bytes);
    }

    /// <summary>Removes the cell when the accessor is disposed.</summary>
    public void Remove() => Lock.Remove();

    /// <summary>Forgets all changes: the cell stays as it was before this thread took it. The accessor stays open, and
    /// what is changed afterwards is stored.</summary>
    public void Discard()
    {
        var cellLock = Lock;
        cellLock.Table.Load(cellLock);
    }

    /// <summary>Stores what was changed and gives the cell free, unless another accessor of this thread has it
    /// open.</summary>
    /// <exception cref="PileFullException">The budget does not hold it; the cell is as it was, and is free.</exception>
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
