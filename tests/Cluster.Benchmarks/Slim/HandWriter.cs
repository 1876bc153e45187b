using Cluster.Slim.Messages;

namespace Cluster.Benchmarks.Slim;

/// <summary>Writes the workloads with code written by hand for exactly these types, with a reference table: the
/// denominator. Like everybody in a race it hands its bytes to a reused output, into whose memory it writes. One user
/// at a time.</summary>
public sealed class HandWriter
{
    private const int BytesMax = 256 * 1024;

    private readonly IdentityTable _seen = new();
    private readonly ArrayBufferWriter<byte> _output = new(BytesMax);
    private byte[] _buffer = [];
    private int _position;

    /// <summary>What the last call wrote.</summary>
    public ReadOnlySpan<byte> Written => _output.WrittenSpan;

    /// <summary>Writes workload A.</summary>
    /// <param name="value">The request.</param>
    public void Write(SmallRequest value)
    {
        Start();
        Head(value);
        ref var target = ref Block(45);
        Unsafe.WriteUnaligned(ref target, value.Id);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 16), value.Customer);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 24), value.Quantity);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 28), value.Created);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 36), value.Weight);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 44), value.IsExpress);
        Text(value.Sku);
        _output.Advance(_position);
    }

    /// <summary>Writes workload B.</summary>
    /// <param name="value">The person.</param>
    public void Write(Person value)
    {
        Start();
        Put(value);
        _output.Advance(_position);
    }

    /// <summary>Writes workloads C and D.</summary>
    /// <param name="values">The persons.</param>
    public void Write(Person[] values)
    {
        Start();
        Head(values);
        Unsafe.WriteUnaligned(ref Block(4), values.Length);
        foreach (var value in values)
            Put(value);

        _output.Advance(_position);
    }

    private void Put(Person value)
    {
        if (!Head(value))
            return;

        ref var target = ref Block(69);
        Unsafe.WriteUnaligned(ref target, value.Id);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 4), value.Key);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 20), value.Born);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 28), value.Balance);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 44), value.Score);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 52), value.IsActive);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 53), value.Visits);
        Text(value.FirstName);
        Text(value.LastName);
        Text(value.Email);
        Text(value.Phone);
        PutTags(value.Tags);
        PutOrders(value.Orders);
        if (value.Home is not { } home || !Head(home))
            return;

        Unsafe.WriteUnaligned(ref Block(4), home.PostalCode);
        Text(home.Street);
        Text(home.City);
    }

    private void PutTags(string?[]? tags)
    {
        if (!Head(tags))
            return;

        Block(1) = (byte)tags!.Length;
        foreach (var tag in tags)
            Text(tag);
    }

    private void PutOrders(int[]? orders)
    {
        if (!Head(orders))
            return;

        Block(1) = (byte)orders!.Length;
        MemoryMarshal.AsBytes(orders.AsSpan()).CopyTo(
            _buffer.AsSpan(_position, orders.Length * 4));
        _position += orders.Length * 4;
    }

    private void Start()
    {
        _seen.Clear();
        _position = 0;
        _output.ResetWrittenCount();
        _ = MemoryMarshal.TryGetArray(_output.GetMemory(BytesMax), out ArraySegment<byte> memory);
        _buffer = memory.Array!;
    }

    private bool Head(object? value)
    {
        if (value is null)
        {
            Block(1) = 0;
            return false;
        }

        var handle = _seen.FindOrAdd(value);
        if (handle < 0)
        {
            Block(1) = 1;
            return true;
        }

        Block(1) = 2;
        Unsafe.WriteUnaligned(ref Block(2), (short)handle);
        return false;
    }

    private void Text(string? text)
    {
        if (text is null)
        {
            Block(1) = 0;
            return;
        }

        Block(1) = (byte)(text.Length + 1);
        _position += Encoding.UTF8.GetBytes(text, _buffer.AsSpan(_position));
    }

    private ref byte Block(int count)
    {
        var position = _position;
        ArgumentOutOfRangeException.ThrowIfGreaterThan(position + count, _buffer.Length);
        _position = position + count;
        return ref _buffer[position];
    }
}
