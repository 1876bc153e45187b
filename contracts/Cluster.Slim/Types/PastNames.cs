namespace Cluster.Slim.Types;

/// <summary>What renamed types were called at one moment of the past; all other types are called what they are today.
/// Made from the aliases of the options; immutable.</summary>
internal sealed class PastNames
{
    private readonly Dictionary<Type, (string Name, string Assembly)> _names = [];

    private PastNames(IEnumerable<(string OldName, Type Type)> aliases)
    {
        foreach ((var oldName, var type) in aliases)
            _names.TryAdd(type, Split(oldName, type));
    }

    /// <summary>The moments before each rename. Aliases come in the order of the renames, so before one of them it and
    /// all later ones had not happened yet, and of several names that one type still had ahead of it the first was in
    /// use.</summary>
    public static PastNames[] HistoryOf(IReadOnlyList<(string OldName, Type Type)> aliases) =>
        [.. Enumerable.Range(0, aliases.Count).Select(first => new PastNames(aliases.Skip(first)))];

    /// <summary>The old name of a type that is no array, and for generic types of the definition.</summary>
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
