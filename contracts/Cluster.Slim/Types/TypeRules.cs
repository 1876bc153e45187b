namespace Cluster.Slim.Types;

/// <summary>The frozen type policy of one serializer, copied from its options. Immutable.</summary>
internal sealed class TypeRules
{
    private static readonly string[] FrameworkKeyTokens =
        ["B03F5F7F11D50A3A", "B77A5C561934E089", "CC7B13FFCD2DDD51", "7CEC85D7BEA7798E", "ADB9793829DDAE60"];

    // Reading the name of an assembly takes microseconds, and every type of a closed list is checked several times.
    private static readonly ConditionalWeakTable<Assembly, Origin> Known = [];

    public required SlimProfile Profile { get; init; }

    public required Type[] Types { get; init; }

    public required Assembly[] Assemblies { get; init; }

    public required Func<Type, bool>[] Predicates { get; init; }

    public required Dictionary<Type, object> Codecs { get; init; }

    /// <summary>The types whose serialization callbacks were opted in.</summary>
    public required HashSet<Type> CallbackTypes { get; init; }

    /// <summary>The static methods that delegates may carry.</summary>
    public required CarriedMethods Methods { get; init; }

    /// <summary>Finds types by name for the trusted profile.</summary>
    public required Func<string, Type?>? Resolver { get; init; }

    /// <summary>The names of renamed types before each rename.</summary>
    public required PastNames[] History { get; init; }

    /// <summary>The names that writers use for renamed types; null for the present names.</summary>
    public required PastNames? WrittenNames { get; init; }

    /// <summary>The former names of members, by the type or definition that declares them.</summary>
    public required (Type Type, string OldName, string Member)[] MemberHistory { get; init; }

    public required SlimVersioning Versioning { get; init; }

    /// <summary>The most descriptions of other layouts that one closed list remembers.</summary>
    public required int DescriptionCountMax { get; init; }

    /// <summary>The most bytes of these descriptions.</summary>
    public required int DescriptionBytesMax { get; init; }

    /// <summary>The predicate for external interfaces: objects in their places are references that the host
    /// follows.</summary>
    public required Func<Type, bool>? ExternalTypes { get; init; }

    /// <summary>The descriptions of layouts that the host keeps. Null: a message must describe each layout that its
    /// reader does not have.</summary>
    public required Hosting.ISlimKnownLayouts? KnownLayouts { get; init; }

    /// <summary>The concrete types and subtypes of assemblies.</summary>
    public Subtypes Subtypes { get; } = new();

    public bool HasExternalReferences => ExternalTypes is not null;

    /// <summary>Whether unordered collections are written by key.</summary>
    public required bool IsCanonical { get; init; }

    /// <summary>Whether types are admitted without being on a list.</summary>
    public bool IsOpen => Profile != SlimProfile.Contract;

    /// <summary>Whether the type's own serialization code may run.</summary>
    public bool Honours(Type type) => Profile == SlimProfile.InProcess || CallbackTypes.Contains(type);

    /// <summary>Whether objects in places of the type belong to the host. A type that was allowed by name is
    /// data.</summary>
    public bool IsExternal(Type type) =>
        ExternalTypes is not null && type.IsInterface && !Types.Contains(type) && ExternalTypes(type);

    /// <summary>Whether the member of the field once had the name.</summary>
    public bool HadName(FieldInfo field, string name)
    {
        if (MemberHistory.Length == 0)
            return false;
        var declaring = field.DeclaringType!;
        var definition = declaring.IsGenericType ? declaring.GetGenericTypeDefinition() : declaring;
        return Array.Exists(
            MemberHistory,
            m => m.OldName == name && m.Type == definition && m.Member == MemberNames.Of(field));
    }

    /// <summary>Whether the assembly of the type belongs to the framework; such types are carried by built-in codecs
    /// only.</summary>
    public static bool IsFramework(Type type) => IsFramework(type.Assembly);

    /// <summary>Refuses types without objects or boxes: open, by-ref-like and pointer types, and void.</summary>
    public static void ThrowIfWithoutValues(Type type, string parameter)
    {
        if (type.ContainsGenericParameters || type.IsByRefLike || type.IsPointer || type.IsFunctionPointer
            || type.IsByRef || type == typeof(void))
            throw new ArgumentException($"{type} is not a type of values that can be carried.", parameter);
    }

    // The table keeps no assembly loaded.
    public static bool IsFramework(Assembly assembly) =>
        assembly == typeof(object).Assembly
        || Known.GetValue(assembly, static a => new Origin(FindIsFramework(a))).IsFramework;

    private static bool FindIsFramework(Assembly assembly)
    {
        var name = assembly.GetName();
        var token = Convert.ToHexString(name.GetPublicKeyToken() ?? []);
        return token.Length > 0 && FrameworkKeyTokens.Contains(token)
            && name.Name is { } simple
            && (simple.StartsWith("System", StringComparison.Ordinal)
                || simple.StartsWith("Microsoft.", StringComparison.Ordinal)
                || simple is "mscorlib" or "netstandard" or "WindowsBase");
    }

    /// <summary>The origin of an assembly.</summary>
    private sealed record Origin(bool IsFramework);
}
