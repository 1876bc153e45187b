using Cluster.Slim.Errors;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Where a message holds its counts, heads, type references, texts and type descriptions, so that mutations
/// can aim at them. Found out by asking the reader: a number that is far too big is refused by a rule that tells what
/// the number was. So the map needs no second implementation of the format, and follows its changes.</summary>
internal sealed class MessageMap
{
    private const int HeaderBytes = 2;

    // Of long messages only some places are looked at.
    private const int ProbesMax = 400;

    private static readonly byte[] TooBig = [0xFF, 0xFF, 0xFF, 0xFF, 0x0F];

    private MessageMap(byte[] message, Dictionary<int, string> rules)
    {
        int[] At(string member) => [.. rules.Where(p => p.Value == member).Select(static p => p.Key).Order()];
        Counts = At("SlimReader.ReadCount");
        ObjectTags = At("HandleTable.FindNothing");
        TypeReferences = At("ReaderTypes.Find");
        Texts = At("LongText.Read");
        Descriptions = DescriptionsOf(message);
    }

    public int[] Counts { get; }

    public int[] ObjectTags { get; }

    public int[] TypeReferences { get; }

    public int[] Texts { get; }

    /// <summary>Type descriptions: where the fingerprint is, where the text begins and how long it is.</summary>
    public (int Fingerprint, int Start, int Length)[] Descriptions { get; }

    public static MessageMap Of(byte[] message, Action<byte[]> read)
    {
        Dictionary<int, string> rules = [];
        var step = 1 + (message.Length / ProbesMax);
        for (var i = HeaderBytes; i < message.Length; i += step)
        {
            if (RuleAt(message, i, read) is { } rule)
                rules[i] = $"{Path.GetFileNameWithoutExtension(rule.File)}.{RefusalRules.All[rule].Split(' ')[0]}";
        }

        return new MessageMap(message, rules);
    }

    public static (int Fingerprint, int Start, int Length)[] DescriptionsOf(byte[] message) =>
        [.. DescriptionsIn(message)];

    private static RefusalSite? RuleAt(byte[] message, int position, Action<byte[]> read)
    {
        try
        {
            read([.. message.AsSpan(0, position), .. TooBig, .. message.AsSpan(position + 1)]);
            return null;
        }
        catch (SlimException e)
        {
            return e.Site;
        }
    }

    // Eight bytes of fingerprint, the length of the rest, and in it first a name, which is plain text with its length.
    private static IEnumerable<(int Fingerprint, int Start, int Length)> DescriptionsIn(byte[] message)
    {
        for (var i = HeaderBytes; i + 12 < message.Length; i++)
        {
            var position = i + 8;
            var length = ReadNumber(message, ref position);
            var start = position;
            var name = ReadNumber(message, ref position);
            if (length < 4 || name < 3 || name >= length || start + length > message.Length
                || position + name > message.Length)
                continue;
            ReadOnlySpan<byte> text = message.AsSpan(position, name);
            if (text.IndexOfAnyExceptInRange((byte)' ', (byte)'~') < 0 && Encoding.ASCII.GetString(text).Contains('.'))
            {
                yield return (i, start, length);
                i = start + length - 1;
            }
        }
    }

    private static int ReadNumber(byte[] message, ref int position)
    {
        var value = 0;
        for (var shift = 0; shift < 21 && position < message.Length; shift += 7)
        {
            var next = message[position++];
            value |= (next & 0x7F) << shift;
            if (next < 0x80)
                return value;
        }

        return -1;
    }
}
