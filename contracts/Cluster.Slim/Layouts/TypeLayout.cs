namespace Cluster.Slim.Layouts;

/// <summary>How values of one type lie in a message: of a type of this process, or as a message described it. Layouts
/// refer to each other, also in circles; they are filled by their maker and immutable after that.</summary>
[DebuggerDisplay("{Name}")]
internal sealed class TypeLayout(string name)
{
    /// <summary>The name of the type on the wire.</summary>
    public string Name => name;

    /// <summary>The type of this process, or null when a message described it.</summary>
    public Type? Type { get; init; }

    /// <summary>The code of a type that the format knows by itself, or zero.</summary>
    public int WireCode { get; init; }

    public LayoutTraits Traits { get; set; }

    /// <summary>The names of the base classes that declare fields, nearest first.</summary>
    public string[] Bases { get; set; } = [];

    /// <summary>The fields, in the order of the message.</summary>
    public FieldLayout[] Fields { get; set; } = [];

    /// <summary>What creating an object needs. Empty for value types.</summary>
    public LayoutStep[] Creation { get; set; } = [];

    /// <summary>Everything else; for value types the value.</summary>
    public LayoutStep[] Body { get; set; } = [];

    /// <summary>The least bytes of a value in a place of the type.</summary>
    public int BytesMin { get; set; }

    /// <summary>The bytes of every value, or zero if they differ or there are references.</summary>
    public int FixedBytes { get; set; }

    /// <summary>Whether creating an object may read other objects.</summary>
    public bool CreationHasPlaces { get; set; }

    /// <summary>Whether only a user's codec can take an object off a message.</summary>
    public bool HasCodec { get; set; }

    /// <summary>Where a layout stands that a message described.</summary>
    public LayoutPlace? Place { get; set; }

    /// <summary>Whether objects exist before their body is read. Boxes do.</summary>
    public bool CanWait => HasBody || IsValue;

    public bool IsValue => (Traits & LayoutTraits.Value) != 0;

    public bool IsOpen => (Traits & LayoutTraits.Open) != 0;

    public bool IsEnum => (Traits & LayoutTraits.Enum) != 0;

    public bool IsText => WireCode == Types.WireTypes.StringCode;

    public bool HasBody => (Traits & LayoutTraits.HasBody) != 0;

    /// <summary>The name of the class that declares a field.</summary>
    public string DeclarerOf(FieldLayout field) => field.Level == 0 ? Name : Bases[field.Level - 1];
}
