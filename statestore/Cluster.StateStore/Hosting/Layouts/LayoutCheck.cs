using Cluster.Slim;
using Cluster.Slim.Hosting;

namespace Cluster.StateStore.Hosting.Layouts;

/// <summary>Checks the layout descriptions that another process tells. The closed list of the state is asked when a
/// value of the layout is read: a node keeps descriptions of types that it does not have, for others.
/// Stateless.</summary>
internal static class LayoutCheck
{
    private static readonly SlimSerializer Layouts = new();

    /// <summary>Returns what is wrong with a description; null: nothing.</summary>
    public static string? FindMalformation(byte[]? description)
    {
        if (description is null)
            return "a layout description is missing";
        if (description.Length > LayoutLimits.DescriptionBytesMax)
        {
            return $"a layout description of {description.Length} bytes is larger than "
                + $"{LayoutLimits.DescriptionBytesMax}";
        }

        try
        {
            SlimLayouts.NameOf(Layouts, description);
            return null;
        }
        catch (SlimException refusal)
        {
            return $"a layout description is malformed: {refusal.Message.TrimEnd('.')}";
        }
    }
}
