namespace Cluster.Pile.Cells;

/// <summary>One cell that one thread holds: the copy on which its accessors work, and the change that is stored when
/// the last of them is disposed. Owned by the <see cref="CellLocks"/> of its table, used by the thread that holds it;
/// reused for other cells.</summary>
internal sealed class CellLock(CellTable table)
{
    // The largest buffer that a lock keeps for its next cell; the garbage collector takes larger ones.
    private const int KeptBytesMax = 64 << 10;
    private const int BytesFirst = 512;
    private const int OwnersFirst = 2;

    private byte[] _bytes = new byte[BytesFirst];
    private LockOwner[] _owners = new LockOwner[OwnersFirst];
    private int _ownerCount;
    private long _ownerLast;

    public CellTable Table { get; } = table;

    public long Id { get; private set; }

    /// <summary>The thread that holds the cell. Written under the lock of the stripe.</summary>
    public Thread Owner { get; private set; } = Thread.CurrentThread;

    /// <summary>Whether the cell exists, as its holder sees it.</summary>
    public bool Exists { get; private set; }

    /// <summary>Whether the cell existed when it was taken.</summary>
    public bool Existed { get; private set; }

    public bool IsChanged { get; private set; }

    public ushort Type { get; private set; }

    public int Length { get; private set; }

    public Span<byte> Bytes => _bytes.AsSpan(0, Length);

    /// <summary>The cell as a record: its bytes, followed by its type.</summary>
    public ReadOnlySpan<byte> Record
    {
        get
        {
            Reserve(Length + CellValue.TypeBytes);
            BinaryPrimitives.WriteUInt16LittleEndian(_bytes.AsSpan(Length), Type);
            return _bytes.AsSpan(0, Length + CellValue.TypeBytes);
        }
    }

    /// <summary>Returns a buffer for a record that is read next.</summary>
    public Span<byte> RoomFor(int recordBytes)
    {
        Length = 0;
        Reserve(recordBytes);
        return _bytes;
    }

    /// <summary>The open accessors; the first one shows which call took the cell.</summary>
    /// <remarks>Other threads look only when the pile is disposed of, while the holder may still open
    /// accessors.</remarks>
    public ReadOnlySpan<LockOwner> Owners
    {
        get
        {
            var owners = _owners;
            return owners.AsSpan(0, Math.Min(_ownerCount, owners.Length));
        }
    }

    /// <summary>Begins with another cell; its content is read next.</summary>
    public void Begin(long id)
    {
        Id = id;
        Owner = Thread.CurrentThread;
        _ownerCount = 0;
        Clear();
    }

    /// <summary>Takes over the record that was read into <see cref="RoomFor"/>.</summary>
    public void SetFound(int recordBytes)
    {
        Length = CellValue.LengthOf(recordBytes);
        Type = CellValue.TypeOf(_bytes.AsSpan(0, recordBytes));
        Exists = Existed = true;
    }

    /// <summary>Adds an accessor and returns its number.</summary>
    public long Open(string file, int line)
    {
        if (_ownerCount == _owners.Length)
            Array.Resize(ref _owners, _ownerCount * 2);
        _owners[_ownerCount++] = new LockOwner(++_ownerLast, file, line);
        return _ownerLast;
    }

    /// <summary>Whether an accessor is open. Safe at any later time, because numbers are never reused.</summary>
    public bool IsOpen(long owner) => IndexOf(owner) >= 0;

    /// <summary>Removes an accessor. True: it was the last. False: others are open, or it was closed already.</summary>
    public bool CloseLast(long owner)
    {
        var index = IndexOf(owner);
        if (index < 0)
            return false;
        _owners[index] = _owners[--_ownerCount];
        return _ownerCount == 0;
    }

    public void Edit() => IsChanged = true;

    public void SetType(ushort type) => (Type, IsChanged) = (type, true);

    /// <summary>Makes the cell longer, with zeros, or shorter; creates the cell when it does not exist.</summary>
    public void Resize(int length)
    {
        Reserve(length);
        if (length > Length)
            _bytes.AsSpan(Length, length - Length).Clear();
        (Length, Exists, IsChanged) = (length, true, true);
    }

    public void Replace(ushort type, ReadOnlySpan<byte> bytes)
    {
        // The bytes may be those of this cell itself. Growing keeps them, and the copy allows for overlap.
        Reserve(bytes.Length);
        bytes.CopyTo(_bytes);
        (Type, Length, Exists, IsChanged) = (type, bytes.Length, true, true);
    }

    public void Remove()
    {
        (Length, Type, Exists) = (0, 0, false);
        IsChanged = true;
    }

    /// <summary>Forgets the cell and its changes, before it is read from the table.</summary>
    public void Clear() =>
        (Length, Type, Exists, Existed, IsChanged) = (0, 0, false, false, false);

    /// <summary>Releases a large buffer before the lock is kept for another cell.</summary>
    public void Rest()
    {
        if (_bytes.Length > KeptBytesMax)
            _bytes = new byte[BytesFirst];
    }

    private int IndexOf(long owner)
    {
        // From the end, because accessors are mostly disposed in reverse order.
        for (var index = _ownerCount - 1; index >= 0; index--)
        {
            if (_owners[index].Number == owner)
                return index;
        }

        return -1;
    }

    private void Reserve(int bytes)
    {
        if (bytes > _bytes.Length)
            Array.Resize(ref _bytes, (int)Math.Min(Math.Max(bytes, 2L * _bytes.Length), Array.MaxLength));
    }
}

/// <summary>One open accessor of a cell lock: its number, and the call that took it. Immutable.</summary>
internal readonly record struct LockOwner(long Number, string File, int Line);
