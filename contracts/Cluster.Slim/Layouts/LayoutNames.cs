using Cluster.Slim.Types;

namespace Cluster.Slim.Layouts;

/// <summary>Decides whether a described name means a type of this process: by its name today, or by a former
/// name.</summary>
internal sealed class LayoutNames(TypeRules rules)
{
    public bool Means(string name, Type type) =>
        TypeNames.Of(type) == name || rules.History.Any(past => TypeNames.Of(type, past) == name);

    public bool Means(TypeLayout layout, Type type) =>
        layout.Type is { } own ? own == type : Means(layout.Name, type);
}
