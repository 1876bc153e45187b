namespace Cluster.Benchmarks.Slim;

/// <summary>Reads what <see cref="HandWriter"/> wrote, with a table of objects. One user at a time.</summary>
public sealed class HandReader
{
    private object?[] _seen = new object?[16];
    private byte[] _buffer = [];
    private int _seenCount;
    private int _position;

    /// <summary>Reads workload A.</summary>
    /// <param name="message">The message.</param>
    public SmallRequest ReadRequest(byte[] message)
    {
        Start(message);
        _position++;
        SmallRequest value = new();
        Add(value);
        ref var source = ref Block(45);
        value.Id = Unsafe.ReadUnaligned<Guid>(ref source);
        value.Customer = Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref source, 16));
        value.Quantity = Unsafe.ReadUnaligned<int>(ref Unsafe.Add(ref source, 24));
        value.Created = Unsafe.ReadUnaligned<DateTime>(ref Unsafe.Add(ref source, 28));
        value.Weight = Unsafe.ReadUnaligned<double>(ref Unsafe.Add(ref source, 36));
        value.IsExpress = Unsafe.ReadUnaligned<bool>(ref Unsafe.Add(ref source, 44));
        value.Sku = Text();
        return value;
    }

    /// <summary>Reads workload B.</summary>
    /// <param name="message">The message.</param>
    public Person? ReadPerson(byte[] message)
    {
        Start(message);
        return Take();
    }

    /// <summary>Reads workloads C and D.</summary>
    /// <param name="message">The message.</param>
    public Person?[] ReadPersons(byte[] message)
    {
        Start(message);
        _position++;
        var values = new Person?[Unsafe.ReadUnaligned<int>(ref Block(4))];
        Add(values);
        for (var i = 0; i < values.Length; i++)
            values[i] = Take();

        return values;
    }

    private Person? Take()
    {
        if (!Head(out Person? known))
            return known;

        Person value = new();
        Add(value);
        ref var source = ref Block(69);
        value.Id = Unsafe.ReadUnaligned<int>(ref source);
        value.Key = Unsafe.ReadUnaligned<Guid>(ref Unsafe.Add(ref source, 4));
        value.Born = Unsafe.ReadUnaligned<DateTime>(ref Unsafe.Add(ref source, 20));
        value.Balance = Unsafe.ReadUnaligned<decimal>(ref Unsafe.Add(ref source, 28));
        value.Score = Unsafe.ReadUnaligned<double>(ref Unsafe.Add(ref source, 44));
        value.IsActive = Unsafe.ReadUnaligned<bool>(ref Unsafe.Add(ref source, 52));
        value.Visits = Unsafe.ReadUnaligned<long>(ref Unsafe.Add(ref source, 53));
        value.FirstName = Text();
        value.LastName = Text();
        value.Email = Text();
        value.Phone = Text();
        value.Tags = TakeTags();
        value.Orders = TakeOrders();
        value.Home = TakeHome();
        return value;
    }

    private Address? TakeHome()
    {
        if (!Head(out Address? known))
            return known;

        Address home = new();
        Add(home);
        home.PostalCode = Unsafe.ReadUnaligned<int>(ref Block(4));
        home.Street = Text();
        home.City = Text();
        return home;
    }

    private string?[]? TakeTags()
    {
        if (!Head(out string?[]? known))
            return known;

        var tags = new string?[Block(1)];
        Add(tags);
        for (var i = 0; i < tags.Length; i++)
            tags[i] = Text();

        return tags;
    }

    private int[]? TakeOrders()
    {
        if (!Head(out int[]? known))
            return known;

        var orders = new int[Block(1)];
        Add(orders);
        _buffer.AsSpan(_position, orders.Length * 4).CopyTo(MemoryMarshal.AsBytes(orders.AsSpan()));
        _position += orders.Length * 4;
        return orders;
    }

    private void Start(byte[] message)
    {
        Array.Clear(_seen, 0, _seenCount);
        _seenCount = 0;
        _buffer = message;
        _position = 0;
    }

    private bool Head<T>(out T? known)
        where T : class
    {
        var head = Block(1);
        known = head == 2 ? (T?)_seen[Unsafe.ReadUnaligned<short>(ref Block(2))] : null;
        return head == 1;
    }

    private void Add(object value)
    {
        if (_seenCount == _seen.Length)
            Array.Resize(ref _seen, _seen.Length * 2);

        _seen[_seenCount++] = value;
    }

    private string? Text()
    {
        var length = Block(1) - 1;
        if (length < 0)
            return null;

        var text = Encoding.UTF8.GetString(_buffer, _position, length);
        _position += length;
        return text;
    }

    private ref byte Block(int count)
    {
        var position = _position;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(position + count, _buffer.Length);
        _position = position + count;
        return ref _buffer[position];
    }
}
