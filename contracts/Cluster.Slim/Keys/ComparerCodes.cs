namespace Cluster.Slim.Keys;

/// <summary>The codes of the comparers that travel with a collection. The numbers are part of the format.</summary>
internal static class ComparerCodes
{
    public const byte Default = 0;
    public const byte Ordinal = 1;
    public const byte OrdinalIgnoreCase = 2;
    public const byte InvariantCulture = 3;
    public const byte InvariantCultureIgnoreCase = 4;
    public const byte ByReference = 5;
    public const byte Culture = 6;
    public const byte Own = 7;
}
