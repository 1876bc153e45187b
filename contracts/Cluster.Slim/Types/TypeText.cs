using System.Text;

namespace Cluster.Slim.Types;

/// <summary>The parsed text of a type description: its name and fields. Bounds are checked while parsing.</summary>
/// <param name="Name">The name of the type on the wire.</param>
/// <param name="Fields">One text per field: name and declared type.</param>
internal sealed record TypeText(string Name, string[] Fields)
{
    internal static TypeText Parse(ReadOnlySpan<byte> bytes)
    {
        string name = ReadText(ref bytes);
        int count = ReadNumber(ref bytes);
        if (count > bytes.Length)
            Throw.Malformed("A type description announces more fields than it has bytes.");
        string[] fields = new string[count];
        for (int i = 0; i < count; i++)
            fields[i] = ReadText(ref bytes);
        if (!bytes.IsEmpty)
            Throw.Malformed("A type description is longer than its content.");
        return new TypeText(name, fields);
    }

    /// <summary>How many fields only one side has.</summary>
    internal int CountDifferences(string[] own) => Fields.Except(own).Count() + own.Except(Fields).Count();

    internal string FirstDifference(string[] own)
    {
        string? extra = Fields.FirstOrDefault(f => !own.Contains(f));
        if (extra is not null)
            return $"the writer has the field '{extra}', the reader has not.";
        string? missing = own.FirstOrDefault(f => !Fields.Contains(f));
        return missing is not null
            ? $"the reader has the field '{missing}', the writer has not."
            : "a type that its fields hold is different.";
    }

    private static string ReadText(ref ReadOnlySpan<byte> bytes)
    {
        int length = ReadNumber(ref bytes);
        if (length > bytes.Length)
            Throw.Malformed("A text in a type description is longer than the description.");
        string text = Encoding.UTF8.GetString(bytes[..length]);
        bytes = bytes[length..];
        return text;
    }

    private static int ReadNumber(ref ReadOnlySpan<byte> bytes)
    {
        int value = 0;
        for (int shift = 0; shift < 28; shift += 7)
        {
            if (bytes.IsEmpty)
                break;
            byte next = bytes[0];
            bytes = bytes[1..];
            value |= (next & 0x7F) << shift;
            if (next < 0x80)
                return value;
        }

        Throw.Malformed("A number in a type description is damaged.");
        return 0;
    }
}
