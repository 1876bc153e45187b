namespace Cluster.Pile.Cells;

/// <summary>One cell in the hands of one thread: the copy on which its accessors work, and what shall become of the
/// cell when the last of them is disposed. Owned by the <see cref="CellLocks"/> of its table, used by the thread that
/// holds it; used again for other cells.</summary>
internal sealed class CellHold(CellTable table)
{
    // What a hold keeps for its next cell; larger buffers are left to the collector.
    private const int KeptBytesMax = 64 << 10;
    private const int BytesFirst = 512;
    private const int TicketsFirst = 2;

    private byte[] _bytes = new byte[BytesFirst];
    private CellTicket[] _tickets = new CellTicket[TicketsFirst];
    private int _ticketCount;
    private long _ticketLast;

    public CellTable Table { get; } = table;

    public long Id { get; private set; }

    /// <summary>Who holds the cell. Written under the lock of the stripe.</summary>
    public Thread Owner { get; private set; } = Thread.CurrentThread;

    /// <summary>Whether there is a cell, as far as its holder is concerned.</summary>
    public bool Exists { get; private set; }

    /// <summary>Whether there was one when it was taken.</summary>
    public bool Existed { get; private set; }

    public bool IsChanged { get; private set; }

    public ushort Type { get; private set; }

    public int Length { get; private set; }

    public Span<byte> Bytes => _bytes.AsSpan(0, Length);

    /// <summary>The cell as a record: its bytes, and the type behind them.</summary>
    public ReadOnlySpan<byte> Record
    {
        get
        {
            Reserve(Length + CellValue.TypeBytes);
            BinaryPrimitives.WriteUInt16LittleEndian(_bytes.AsSpan(Length), Type);
            return _bytes.AsSpan(0, Length + CellValue.TypeBytes);
        }
    }

    /// <summary>Room for a record that is about to be read.</summary>
    public Span<byte> RoomFor(int recordBytes)
    {
        Length = 0;
        Reserve(recordBytes);
        return _bytes;
    }

    /// <summary>The accessors that are open; the first one tells who took the cell.</summary>
    /// <remarks>Others look only at the end of the pile, while the holder may still open some.</remarks>
    public ReadOnlySpan<CellTicket> Tickets
    {
        get
        {
            var tickets = _tickets;
            return tickets.AsSpan(0, Math.Min(_ticketCount, tickets.Length));
        }
    }

    /// <summary>Begins with another cell; its content is still to come.</summary>
    public void Begin(long id)
    {
        Id = id;
        Owner = Thread.CurrentThread;
        _ticketCount = 0;
        Clear();
    }

    /// <summary>Takes over the record that was read into <see cref="RoomFor"/>.</summary>
    public void SetFound(int recordBytes)
    {
        Length = CellValue.LengthOf(recordBytes);
        Type = CellValue.TypeOf(_bytes.AsSpan(0, recordBytes));
        Exists = Existed = true;
    }

    /// <summary>Adds an accessor and gives its number.</summary>
    public long Open(string file, int line)
    {
        if (_ticketCount == _tickets.Length)
            Array.Resize(ref _tickets, _ticketCount * 2);
        _tickets[_ticketCount++] = new CellTicket(++_ticketLast, file, line);
        return _ticketLast;
    }

    /// <summary>Whether an accessor is open; safe also long after, because numbers never come again.</summary>
    public bool IsOpen(long ticket) => IndexOf(ticket) >= 0;

    /// <summary>Removes an accessor, and tells whether it was the last; false also when it was gone already.</summary>
    public bool CloseLast(long ticket)
    {
        var index = IndexOf(ticket);
        if (index < 0)
            return false;
        _tickets[index] = _tickets[--_ticketCount];
        return _ticketCount == 0;
    }

    public void Edit() => IsChanged = true;

    public void SetType(ushort type) => (Type, IsChanged) = (type, true);

    /// <summary>Makes the cell longer, with zeros, or shorter; makes it, when there was none.</summary>
    public void Resize(int length)
    {
        Reserve(length);
        if (length > Length)
            _bytes.AsSpan(Length, length - Length).Clear();
        (Length, Exists, IsChanged) = (length, true, true);
    }

    public void Replace(ushort type, ReadOnlySpan<byte> bytes)
    {
        // The bytes may be those of this same cell: growing keeps them, and the copy allows for overlap.
        Reserve(bytes.Length);
        bytes.CopyTo(_bytes);
        (Type, Length, Exists, IsChanged) = (type, bytes.Length, true, true);
    }

    public void Remove()
    {
        (Length, Type, Exists) = (0, 0, false);
        IsChanged = true;
    }

    /// <summary>Forgets the cell and what was changed, before it is read from the table.</summary>
    public void Clear() =>
        (Length, Type, Exists, Existed, IsChanged) = (0, 0, false, false, false);

    /// <summary>Lets large memory go before the hold waits for another cell.</summary>
    public void Rest()
    {
        if (_bytes.Length > KeptBytesMax)
            _bytes = new byte[BytesFirst];
    }

    private int IndexOf(long ticket)
    {
        // From the end, because accessors are mostly disposed in the reverse order.
        for (var index = _ticketCount - 1; index >= 0; index--)
        {
            if (_tickets[index].Number == ticket)
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
