using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Damages messages where it hurts: at random, and aimed at the counts, heads, type references, texts and type
/// descriptions that the map of a message knows. The seed decides everything. Used by one thread.</summary>
internal sealed class MessageMutator(FuzzCorpus corpus)
{
    private const int GrowthMax = 512;
    private const int HeaderBytes = 2;

    private static readonly uint[] Numbers =
        [0, 1, 2, 3, 4, 63, 64, 127, 128, 255, 256, 0x3FFF, 0x4000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF];

    private readonly List<byte> _bytes = [];

    /// <summary>The case and the message of one number of a run.</summary>
    public (FuzzCase Case, byte[] Message) Next(ulong seed)
    {
        FuzzRandom random = new(seed);
        var source = corpus.Pick(ref random);
        _bytes.Clear();
        _bytes.AddRange(source.Message);
        for (var edits = EditsOf(ref random); edits > 0 && _bytes.Count > HeaderBytes; edits--)
            Edit(source, ref random);
        return (source, [.. _bytes]);
    }

    private static int EditsOf(ref FuzzRandom random) => random.Next(8) switch
    {
        < 5 => 1,
        < 7 => 2,
        _ => random.Next(3, 9),
    };

    private void Edit(FuzzCase source, ref FuzzRandom random)
    {
        var map = source.Map;
        switch (random.Next(20))
        {
            case < 2:
                FlipBit(ref random);
                break;
            case 2:
                _bytes[Position(ref random)] = random.NextByte();
                break;
            case 3:
                _bytes[Position(ref random)] = (byte)random.Next(8);
                break;
            case 4:
                Truncate(ref random);
                break;
            case 5:
                Splice(source, ref random);
                break;
            case 6:
                Duplicate(ref random);
                break;
            case 7:
                Remove(Position(ref random), random.Next(1, 9));
                break;
            case < 11:
                EditNumber(map.Counts, ref random);
                break;
            case < 13:
                Retarget(map.ObjectTags, ref random);
                break;
            case < 15:
                SwapType(map.TypeReferences, ref random);
                break;
            case 15:
                EditNumber(map.Texts, ref random);
                break;
            case < 19:
                DamageDescription(map, ref random);
                break;
            default:
                EditEnds(ref random);
                break;
        }
    }

    private int Position(ref FuzzRandom random) => random.Next(HeaderBytes, _bytes.Count);

    /// <summary>One of the places; any place if the message has none or became too short.</summary>
    private int Position(int[] places, ref FuzzRandom random)
    {
        var place = places.Length == 0 ? 0 : places[random.Next(places.Length)];
        return place == 0 || place >= _bytes.Count ? Position(ref random) : place;
    }

    private void FlipBit(ref FuzzRandom random)
    {
        var position = Position(ref random);
        _bytes[position] ^= (byte)(1 << random.Next(8));
    }

    private void Truncate(ref FuzzRandom random)
    {
        var length = Position(ref random);
        _bytes.RemoveRange(length, _bytes.Count - length);
    }

    // From the same message or from another one, over the bytes here, or between them.
    private void Splice(FuzzCase source, ref FuzzRandom random)
    {
        var other = random.Next(2) == 0 ? source.Message : corpus.Pick(ref random).Message;
        var length = Math.Min(random.Next(1, 48), other.Length);
        ReadOnlySpan<byte> part = other.AsSpan(random.Next(other.Length - length + 1), length);
        var position = Position(ref random);
        if (random.Next(2) == 0)
            Remove(position, length);
        Insert(position, part);
    }

    private void Duplicate(ref FuzzRandom random)
    {
        var position = Position(ref random);
        var length = Math.Min(random.Next(1, 64), _bytes.Count - position);
        byte[] part = [.. _bytes.GetRange(position, length)];
        for (var times = random.Next(1, 4); times > 0; times--)
            Insert(random.Next(4) == 0 ? Position(ref random) : position, part);
    }

    private void EditNumber(int[] places, ref FuzzRandom random)
    {
        var position = Position(places, ref random);
        (var value, var length) = NumberAt(position);
        var edited = random.Next(8) switch
        {
            0 => value + 1,
            1 => value - 1,
            2 => value * 2,
            3 => value + (uint)random.Next(16),
            4 => (uint)_bytes.Count,
            5 => (uint)random.Next(0, 1 << 20),
            _ => Numbers[random.Next(Numbers.Length)],
        };
        Replace(position, length, edited, random.Next(16) == 0);
    }

    private void Retarget(int[] places, ref FuzzRandom random)
    {
        var position = Position(places, ref random);
        Replace(position, NumberAt(position).Length, (uint)random.Next(random.Next(4) == 0 ? 40 : 8), false);
    }

    private void SwapType(int[] places, ref FuzzRandom random)
    {
        var position = Position(places, ref random);
        var code = random.Next(3) switch
        {
            0 => (uint)random.Next(64),
            1 => 64 + (uint)random.Next(12),
            _ => NumberAt(Position(places, ref random)).Value,
        };
        Replace(position, NumberAt(position).Length, code, false);
    }

    private void DamageDescription(MessageMap map, ref FuzzRandom random)
    {
        if (map.Descriptions.Length == 0)
        {
            EditFingerprint(ref random);
            return;
        }

        (var fingerprint, var start, var length) = map.Descriptions[random.Next(map.Descriptions.Length)];
        if (start + length > _bytes.Count)
            return;
        switch (random.Next(6))
        {
            case 0:
                WriteFingerprint(fingerprint, random.Next());
                break;
            case 1:
                WriteFingerprint(fingerprint, corpus.Fingerprints[random.Next(corpus.Fingerprints.Length)]);
                break;
            case 2:
                SwapDescription(fingerprint, start + length - fingerprint, ref random);
                break;
            default:
                DamageLayouts(fingerprint, start, length, ref random);
                break;
        }
    }

    // With the fingerprint that the layouts had, the reader goes on; with their new one it has to compare them.
    private void DamageLayouts(int fingerprint, int start, int length, ref FuzzRandom random)
    {
        for (var times = random.Next(1, 4); times > 0; times--)
        {
            var position = start + random.Next(length);
            _bytes[position] = random.Next(4) switch
            {
                0 => (byte)random.Next(18),
                1 => (byte)random.Next(64, 72),
                2 => _bytes[start + random.Next(length)],
                _ => (byte)(_bytes[position] ^ (1 << random.Next(7))),
            };
        }

        if (random.Next(4) > 0)
            WriteFingerprint(fingerprint, XxHash3.Hash(CollectionsMarshal.AsSpan(_bytes).Slice(start, length)));
    }

    // Messages that name types by fingerprint only: any eight bytes may be one.
    private void EditFingerprint(ref FuzzRandom random)
    {
        var position = Position(ref random);
        if (position + 8 <= _bytes.Count)
            WriteFingerprint(position, corpus.Fingerprints[random.Next(corpus.Fingerprints.Length)]);
    }

    private void SwapDescription(int position, int length, ref FuzzRandom random)
    {
        var other = corpus.Descriptions[random.Next(corpus.Descriptions.Length)];
        Remove(position, length);
        Insert(position, other);
    }

    private void EditEnds(ref FuzzRandom random)
    {
        if (random.Next(4) == 0)
            _bytes[random.Next(HeaderBytes)] = random.NextByte();
        else
            _bytes.AddRange(Enumerable.Repeat(random.NextByte(), random.Next(1, 9)));
    }

    private void WriteFingerprint(int position, ulong fingerprint)
    {
        Span<byte> bytes = stackalloc byte[8];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, fingerprint);
        for (var i = 0; i < bytes.Length; i++)
            _bytes[position + i] = bytes[i];
    }

    private void Replace(int position, int length, uint value, bool isOverlong)
    {
        Span<byte> bytes = stackalloc byte[6];
        var count = 0;
        for (; value >= 0x80; value >>= 7)
            bytes[count++] = (byte)(value | 0x80);
        bytes[count++] = (byte)(value | (isOverlong ? 0x80u : 0));
        if (isOverlong)
            bytes[count++] = 0;
        Remove(position, length);
        Insert(position, bytes[..count]);
    }

    private (uint Value, int Length) NumberAt(int position)
    {
        uint value = 0;
        var length = 0;
        while (length < 5 && position + length < _bytes.Count)
        {
            var next = _bytes[position + length];
            value |= (next & 0x7Fu) << (7 * length++);
            if (next < 0x80)
                break;
        }

        return (value, length);
    }

    private void Remove(int position, int length) =>
        _bytes.RemoveRange(position, Math.Min(length, _bytes.Count - position));

    private void Insert(int position, ReadOnlySpan<byte> part)
    {
        if (part.Length <= GrowthMax)
            _bytes.InsertRange(Math.Min(position, _bytes.Count), part);
    }
}
