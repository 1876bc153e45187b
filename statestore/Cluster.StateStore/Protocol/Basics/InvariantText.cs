namespace Cluster.StateStore.Protocol.Basics;

/// <summary>Builds the text of a broken invariant, and nothing while the invariant holds.</summary>
[InterpolatedStringHandler]
internal readonly ref struct InvariantText
{
    private readonly StringBuilder? _text;

    public InvariantText(int literalLength, int formattedCount, bool holds, out bool isNeeded)
    {
        isNeeded = !holds;
        _text = holds ? null : new StringBuilder(literalLength + (formattedCount * 8));
    }

    public void AppendLiteral(string value) => _text?.Append(value);

    public void AppendFormatted<T>(T value) => _text?.Append(CultureInfo.InvariantCulture, $"{value}");

    public override string ToString() => _text?.ToString() ?? "";
}
