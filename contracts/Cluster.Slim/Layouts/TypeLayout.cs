namespace Cluster.Slim.Layouts;

/// <summary>Describes how values of one type lie in a message. The layout belongs to a type of this process, or a
/// message described it. Layouts refer to each other, also in cycles. The catalog or decoder that creates a layout
/// fills it; after that the layout does not change.</summary>
[DebuggerDisplay("{Name}")]
internal sealed class TypeLayout(string name)
{
    /// <summary>The name of the type on the wire.</summary>
    public string Name => name;

    /// <summary>The type of this process, or null when a message described it.</summary>
    public Type? Type { get; init; }

    /// <summary>The code that the format gives the type; zero if it has none.</summary>
    public int WireCode { get; init; }

    public LayoutTraits Traits { get; set; }

    /// <summary>The names of the base classes that declare fields, nearest first.</summary>
    public string[] Bases { get; set; } = [];

    /// <summary>The fields, in the order of the message.</summary>
    public FieldLayout[] Fields { get; set; } = [];

    /// <summary>The steps that read what a reader needs to create an object. Empty for value types.</summary>
    public LayoutStep[] Creation { get; set; } = [];

    /// <summary>The steps that read the rest of an object; for value types, the value.</summary>
    public LayoutStep[] Body { get; set; } = [];

    /// <summary>The least number of bytes of a value in a place of the type. For a class: of its head.</summary>
    public int BytesMin { get; set; }

    /// <summary>The number of bytes of every value; zero if values differ in length or contain references.</summary>
    public int FixedBytes { get; set; }

    public bool CreationHasPlaces { get; set; }

    /// <summary>Whether a reader needs the user's codec to find the end of an object.</summary>
    public bool HasCodec { get; set; }

    /// <summary>The position in a message's description; null for a layout of this process.</summary>
    public LayoutPlace? Place { get; set; }

    /// <summary>Whether a reader can create the object before it reads the body. The reader can do so with
    /// boxes.</summary>
    public bool CanWait => HasBody || IsValue;

    public bool IsValue => (Traits & LayoutTraits.Value) != 0;

    public bool IsOpen => (Traits & LayoutTraits.Open) != 0;

    public bool IsEnum => (Traits & LayoutTraits.Enum) != 0;

    public bool IsText => WireCode == Types.WireTypes.StringCode;

    public bool HasBody => (Traits & LayoutTraits.HasBody) != 0;

    public string DeclarerOf(FieldLayout field) => field.Level == 0 ? Name : Bases[field.Level - 1];
}

/// <summary>Where a layout stands that a message described.</summary>
/// <param name="Index">Its position in the description.</param>
internal abstract record LayoutPlace(int Index);

/// <summary>One step of a layout.</summary>
/// <param name="Op">Says what the step reads from a message.</param>
/// <param name="Count">The number operand: bytes, repetitions, dimensions or the version of a codec.</param>
/// <param name="Types">The declared types of the places that the step reads.</param>
internal sealed record LayoutStep(LayoutOp Op, int Count, TypeLayout[] Types);

/// <summary>One field of a layout.</summary>
/// <param name="Name">The name in the description, see <see cref="FieldNames.Shorten"/>.</param>
/// <param name="Level">The number of steps from the type up to the base class that declares the field.</param>
/// <param name="Type">The layout of the declared type.</param>
internal sealed record FieldLayout(string Name, int Level, TypeLayout Type);
