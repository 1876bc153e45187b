namespace Cluster.Slim.Tests.Format;

/// <summary>The few primitives that the format page builds on, over one piece of bytes.</summary>
internal sealed class PageBytes(byte[] bytes)
{
    private int _position;

    public bool IsAtEnd => _position == bytes.Length;

    public byte Byte() => bytes[_position++];

    public byte[] Take(int count)
    {
        var taken = bytes[_position..(_position + count)];
        _position += count;
        return taken;
    }

    public uint Var()
    {
        uint value = 0;
        for (var shift = 0; ; shift += 7)
        {
            var next = Byte();
            value |= (next & 0x7Fu) << shift;
            if (next < 0x80)
                return value;
        }
    }

    public string Name() => Encoding.UTF8.GetString(Take((int)Var()));

    public string? Text()
    {
        var head = Var();
        if (head == 0)
            return null;
        var length = (int)(head - 1) / 2;
        return (head - 1) % 2 == 0
            ? Encoding.Latin1.GetString(Take(length))
            : string.Create(length, Take(2 * length), static (text, taken) =>
            {
                for (var i = 0; i < text.Length; i++)
                    text[i] = (char)BitConverter.ToUInt16(taken, 2 * i);
            });
    }
}
