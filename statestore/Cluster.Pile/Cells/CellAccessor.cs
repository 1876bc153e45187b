namespace Cluster.Pile.Cells;

/// <summary>One cell in the hands of one thread, to be read, changed and resized. While it is open, no other thread
/// changes the cell: whoever tries waits up to <see cref="PileOptions.PinWait"/>; readers go on and see the cell as it
/// was. What was changed is stored in one step when the last accessor of the cell is disposed. Belongs to the thread
/// that took it; an immutable value, <c>default</c> is closed.</summary>
/// <remarks>An accessor is to be disposed; doing it again, or with a copy, does nothing. One that is never disposed
/// keeps its cell as long as its thread lives, its changes are not stored, and it is reported to
/// <see cref="PileOptions.CellAccessorAbandoned"/>. Spans are good until the cell is resized, replaced or disposed; one
/// kept longer shows other bytes and faults never.</remarks>
public readonly ref struct CellAccessor : IDisposable
{
    private readonly CellHold? _hold;
    private readonly long _ticket;
    private readonly bool _isBorrowed;

    internal CellAccessor(CellHold hold, long ticket, bool isBorrowed)
    {
        _hold = hold;
        _ticket = ticket;
        _isBorrowed = isBorrowed;
    }

    /// <summary>The id of the cell.</summary>
    public long Id => Hold.Id;

    /// <summary>Whether there is a cell; <see cref="Resize"/> and <see cref="Replace"/> make it.</summary>
    public bool Exists => Hold.Exists;

    /// <summary>Its type; zero when there is none.</summary>
    public ushort Type => Hold.Type;

    /// <summary>How many bytes it has.</summary>
    public int Length => Hold.Length;

    /// <summary>Its bytes, to be read.</summary>
    public ReadOnlySpan<byte> Bytes => Hold.Bytes;

    private CellHold Hold
    {
        get
        {
            if (_hold is null || !_hold.IsOpen(_ticket))
                CellThrow.AccessorDisposed();
            return _hold;
        }
    }

    /// <summary>Its bytes, to be changed; the cell is stored when the accessor is disposed.</summary>
    public Span<byte> Edit()
    {
        Hold.Edit();
        return _hold!.Bytes;
    }

    /// <summary>Gives the cell another type. Without a cell, the type is kept for the cell that is created.</summary>
    public void SetType(ushort type) => Hold.SetType(type);

    /// <summary>Makes the cell longer, with zeros behind its bytes, or shorter; makes it when there is none.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative, or more than 1 GiB less 3
    /// bytes.</exception>
    public void Resize(int length)
    {
        CellThrow.IfNoCellLength(length);
        Hold.Resize(length);
    }

    /// <summary>Replaces type and bytes; makes the cell when there is none.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There are more than 1 GiB less 3 bytes.</exception>
    public void Replace(ushort type, ReadOnlySpan<byte> bytes)
    {
        CellThrow.IfNoCellLength(bytes.Length);
        Hold.Replace(type, bytes);
    }

    /// <summary>Removes the cell when the accessor is disposed.</summary>
    public void Remove() => Hold.Remove();

    /// <summary>Forgets all changes: the cell stays as it was before this thread took it. The accessor stays open, and
    /// what is changed afterwards is stored.</summary>
    public void Discard()
    {
        var hold = Hold;
        hold.Table.Load(hold);
    }

    /// <summary>Stores what was changed and gives the cell free, unless another accessor of this thread has it
    /// open.</summary>
    /// <exception cref="PileFullException">The budget does not hold it; the cell is as it was, and is free.</exception>
    public void Dispose()
    {
        if (_hold is not null && !_isBorrowed)
            _hold.Table.Close(_hold, _ticket);
    }
}

/// <summary>The call that took an accessor which was never disposed. Immutable.</summary>
/// <param name="Table">The name of the table.</param>
/// <param name="Id">The cell.</param>
/// <param name="File">The source file with the call.</param>
/// <param name="Line">The line of that call.</param>
public sealed record CellAccessorOrigin(string Table, long Id, string File, int Line);
