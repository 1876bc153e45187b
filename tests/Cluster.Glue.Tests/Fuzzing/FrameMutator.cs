namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Damages messages at one layer each: the layers outside are put around it with right lengths, so that the
/// damage is met. What it does follows from the seed alone. For one thread.</summary>
internal sealed class FrameMutator(int seed)
{
    private static readonly byte[] Interesting = [0, 1, 2, 0x0A, 0x20, 0x40, 0x7F, 0x80, 0x81, 0xC0, 0xFE, 0xFF];

    private readonly Random _random = new(seed);

    public Random Random => _random;

    public T Pick<T>(IReadOnlyList<T> items) => items[_random.Next(items.Count)];

    /// <summary>A whole message that is damaged somewhere.</summary>
    /// <param name="envelope">A good one.</param>
    /// <param name="number">Of the batch.</param>
    /// <param name="endsStream">Whether the lengths outside are wrong, so that nothing good can follow.</param>
    public byte[] Mutate(RecordedEnvelope envelope, ulong number, out bool endsStream)
    {
        var envelopes = envelope.Bytes;
        endsStream = false;
        switch (_random.Next(24))
        {
            case 0:
                endsStream = true;
                return Prefix(Frames.Of(envelopes, number));
            case 1:
                var value = Frames.Of(envelopes, number)[5..];
                return Frames.OfMessage(Bytes(value, within: 6));
            case 2:
                return Frames.OfPayload(Bytes([1, .. Number(number), .. Number(0), .. envelopes], within: 3));
            case 3:
                return Frames.OfPayload(RandomBytes(_random.Next(64)));
            case <= 8:
                return Frames.Of(Bytes(envelopes, within: 8), number);
            case <= 12:
                return Frames.Of(Bytes(envelopes, within: envelopes.Length), number);
            case 13:
                return Frames.Of(Cut(envelopes), number);
            case 14:
                return Frames.Of([.. envelopes, .. Cut(envelopes)], number);
            case 15:
                return Frames.Of(Insert(envelopes), number);
            default:
                return Frames.Of([.. envelope.Head, .. Frames.Block(Body(envelope.Body))], number);
        }
    }

    private byte[] Body(byte[] body) => _random.Next(6) switch
    {
        0 => Cut(body),
        1 => Insert(body),
        2 => [.. Cut(body), .. Cut(body)],
        _ => Bytes(body, within: Math.Max(1, body.Length)),
    };

    private byte[] Number(ulong right) => Frames.Varint(_random.Next(4) switch
    {
        0 => 0,
        1 => right + 1,
        2 => (ulong)_random.NextInt64(),
        _ => right,
    });

    private byte[] Prefix(byte[] frame)
    {
        var length = frame.Length - 5;
        var wrong = _random.Next(4) switch
        {
            0 => length + _random.Next(1, 200),
            1 => _random.Next(length + 1),
            2 => _random.Next(),
            _ => -1,
        };
        if (_random.Next(4) == 0)
            frame[0] = Pick(Interesting);
        else
            BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), wrong);
        return frame[..(_random.Next(4) == 0 ? _random.Next(frame.Length + 1) : frame.Length)];
    }

    private byte[] Bytes(byte[] source, int within)
    {
        var bytes = (byte[])source.Clone();
        if (bytes.Length == 0)
            return RandomBytes(1);
        for (var change = _random.Next(1, 4); change > 0; change--)
        {
            ref var one = ref bytes[_random.Next(Math.Min(within, bytes.Length))];
            one = _random.Next(3) switch
            {
                0 => Pick(Interesting),
                1 => (byte)(one ^ (1 << _random.Next(8))),
                _ => (byte)_random.Next(256),
            };
        }

        return bytes;
    }

    private byte[] Cut(byte[] source) => source[.._random.Next(source.Length + 1)];

    private byte[] Insert(byte[] source)
    {
        var at = _random.Next(source.Length + 1);
        return [.. source[..at], .. RandomBytes(_random.Next(1, 12)), .. source[at..]];
    }

    private byte[] RandomBytes(int count)
    {
        var bytes = new byte[count];
        _random.NextBytes(bytes);
        return bytes;
    }
}
