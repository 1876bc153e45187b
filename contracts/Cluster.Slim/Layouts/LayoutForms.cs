namespace Cluster.Slim.Layouts;

/// <summary>Compares two layouts without their fields. If they agree, the type serializer for the layout of this
/// process can read values of the described layout, with field serializers for the described parts.</summary>
internal static class LayoutForms
{
    public static bool AreSame(TypeLayout described, TypeLayout own, LayoutNames names) =>
        described.HasBody == own.HasBody && described.IsValue == own.IsValue
        && AreSame(described.Creation, own.Creation, names)
        && AreSame([.. described.Body.Where(IsNotFields)], [.. own.Body.Where(IsNotFields)], names)
        && FieldsStandRight(described, own);

    private static bool IsNotFields(LayoutStep step) => step.Op != LayoutOp.Fields;

    private static bool AreSame(LayoutStep[] described, LayoutStep[] own, LayoutNames names)
    {
        if (described.Length != own.Length)
            return false;
        for (var i = 0; i < own.Length; i++)
        {
            var step = described[i];
            if (step.Op != own[i].Op || step.Count != own[i].Count || step.Types.Length != own[i].Types.Length)
                return false;
            for (var j = 0; j < step.Types.Length; j++)
            {
                if (!names.Means(step.Types[j], own[i].Types[j].Type!))
                    return false;
            }
        }

        return true;
    }

    // The fields of exceptions come last, and those of classes derived from collections first. Other types write
    // nothing but fields.
    private static bool FieldsStandRight(TypeLayout described, TypeLayout own)
    {
        var at = Array.FindIndex(described.Body, static s => s.Op == LayoutOp.Fields);
        return at < 0 || at == (typeof(Exception).IsAssignableFrom(own.Type) ? described.Body.Length - 1 : 0);
    }
}
