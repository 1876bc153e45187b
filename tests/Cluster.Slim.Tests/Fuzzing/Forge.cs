using Cluster.Slim.Hosting;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Puts messages together by hand, as an attacker would.</summary>
internal sealed class Forge
{
    private readonly List<byte> _bytes = [];

    /// <summary>Begins with the header of a standalone message and the head of its root.</summary>
    public static Forge Message() => new Forge().Bytes(ObjectTags.HeaderVersion, 0, ObjectTags.NewTyped);

    /// <summary>Goes on after a real message, of which some bytes at the end are dropped.</summary>
    public static Forge After(byte[] message, int dropped = 0) =>
        new Forge().Bytes(message.AsSpan(0, message.Length - dropped));

    public byte[] Done() => [.. _bytes];

    public Forge Bytes(params ReadOnlySpan<byte> bytes)
    {
        _bytes.AddRange(bytes);
        return this;
    }

    public Forge Number(uint value)
    {
        for (; value >= 0x80; value >>= 7)
            _bytes.Add((byte)(value | 0x80));
        _bytes.Add((byte)value);
        return this;
    }

    /// <summary>Text as a value.</summary>
    public Forge Text(string ascii) => Number(((uint)ascii.Length << 1) + 1).Bytes(Encoding.ASCII.GetBytes(ascii));

    /// <summary>A name in a type description.</summary>
    public Forge Name(string ascii) => Number((uint)ascii.Length).Bytes(Encoding.ASCII.GetBytes(ascii));

    public Forge Times(int count, Action<Forge, int> part)
    {
        for (var i = 0; i < count; i++)
            part(this, i);
        return this;
    }

    /// <summary>Puts other bytes in the place of some that occur once.</summary>
    public Forge Replace(ReadOnlySpan<byte> old, ReadOnlySpan<byte> by)
    {
        ReadOnlySpan<byte> bytes = Done();
        var at = bytes.IndexOf(old);
        Assert.True(at >= 0, $"{Convert.ToHexString(old)} is not in {Convert.ToHexString(bytes)}");
        _bytes.RemoveRange(at, old.Length);
        _bytes.InsertRange(at, by);
        return this;
    }

    /// <summary>A type reference that describes the type, with the fingerprint that its layouts have.</summary>
    public Forge Described(Forge layouts)
    {
        var text = layouts.Done();
        return Bytes(0).Bytes(BitConverter.GetBytes(XxHash3.Hash(text))).Number((uint)text.Length).Bytes(text);
    }
}
