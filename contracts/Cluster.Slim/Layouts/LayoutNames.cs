using Cluster.Slim.Types;

namespace Cluster.Slim.Layouts;

/// <summary>Which types of this process a described name means: what they are called today, or were once.</summary>
internal sealed class LayoutNames(TypeRules rules)
{
    public bool Means(string name, Type type) =>
        TypeNames.Of(type) == name || rules.History.Any(past => TypeNames.Of(type, past) == name);

    public bool Means(TypeLayout layout, Type type) =>
        layout.Type is { } own ? own == type : Means(layout.Name, type);
}
