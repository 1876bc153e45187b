namespace Cluster.Slim.Types;

/// <summary>The names of renamed types at one moment of the past; all other types have their present names. Made from
/// the aliases of the options; immutable.</summary>
internal sealed class PastNames
{
    private readonly Dictionary<Type, (string Name, string Assembly)> _names = [];

    private PastNames(IEnumerable<(string OldName, Type Type)> aliases)
    {
        foreach ((var oldName, var type) in aliases)
            _names.TryAdd(type, Split(oldName, type));
    }

    /// <summary>The moments before each rename. Aliases come in the order of the renames. Before an alias, that rename
    /// and all later ones had not happened yet, and a type with several later aliases had the first of their
    /// names.</summary>
    public static PastNames[] HistoryOf(IReadOnlyList<(string OldName, Type Type)> aliases) =>
        [.. Enumerable.Range(0, aliases.Count).Select(first => new PastNames(aliases.Skip(first)))];

    /// <summary>The former name of a type that is no array, and for generic types of the definition.</summary>
    public bool TryGet(Type definition, out (string Name, string Assembly) name) =>
        _names.TryGetValue(definition, out name);

    private static (string Name, string Assembly) Split(string name, Type type)
    {
        var comma = name.IndexOf(',', StringComparison.Ordinal);
        return comma < 0
            ? (name.Trim(), type.Assembly.GetName().Name!)
            : (name[..comma].Trim(), name[(comma + 1)..].Trim());
    }
}
