namespace Cluster.Slim.Layouts;

/// <summary>Finds the first type and field in which a described layout differs from the layout of this process. Used
/// once.</summary>
internal sealed class LayoutDifference(LayoutNames names)
{
    private readonly Queue<(TypeLayout Described, TypeLayout Own)> _waiting = new();
    private readonly HashSet<TypeLayout> _seen = new(ReferenceEqualityComparer.Instance);

    /// <summary>Returns the name of the type, and a sentence that says what is different.</summary>
    public (string TypeName, string Text) First(TypeLayout described, TypeLayout own)
    {
        _waiting.Enqueue((described, own));
        while (_waiting.TryDequeue(out var pair))
        {
            if (_seen.Add(pair.Described) && Between(pair.Described, pair.Own) is { } text)
                return (pair.Described.Name, text);
        }

        return (described.Name, "a type that its fields hold is different.");
    }

    private string? Between(TypeLayout described, TypeLayout own)
    {
        if (described.Traits != own.Traits && !described.IsOpen)
            return $"the writer has {KindOf(described)}, the reader has {KindOf(own)}.";
        if (FieldsBetween(described, own) is { } text)
            return text;
        LayoutStep[] ownSteps = [.. own.Creation, .. own.Body];
        LayoutStep[] steps = [.. described.Creation, .. described.Body];
        if (described.IsOpen)
            return null;
        if (steps.Length != ownSteps.Length)
            return "it is written in another form.";
        for (var i = 0; i < steps.Length; i++)
        {
            var step = steps[i];
            if (step.Op != ownSteps[i].Op || step.Count != ownSteps[i].Count)
                return "it is written in another form.";
            for (var j = 0; j < step.Types.Length; j++)
            {
                if (!AreSame(step.Types[j], ownSteps[i].Types[j]))
                    return $"the writer has {step.Types[j].Name}, the reader has {ownSteps[i].Types[j].Name}.";
            }
        }

        return null;
    }

    private string? FieldsBetween(TypeLayout described, TypeLayout own)
    {
        if (described.IsOpen)
            return null;
        foreach (var field in described.Fields)
        {
            var same = Array.Find(own.Fields, f => f.Name == field.Name && f.Level == field.Level);
            if (same is null)
                return $"the writer has the field '{TextOf(field)}', the reader has not.";
            if (!AreSame(field.Type, same.Type))
                return $"the writer has the field '{TextOf(field)}', the reader has '{TextOf(same)}'.";
        }

        var missing = Array.Find(
            own.Fields, f => !described.Fields.Any(d => d.Name == f.Name && d.Level == f.Level));
        return missing is null
            ? null
            : $"the reader has the field '{TextOf(missing)}', the writer has not.";
    }

    private bool AreSame(TypeLayout described, TypeLayout own)
    {
        if (!names.Means(described, own.Type!))
            return false;
        _waiting.Enqueue((described, own));
        return true;
    }

    private static string TextOf(FieldLayout field) => $"{FieldNames.MemberOf(field.Name)} {field.Type.Name}";

    private static string KindOf(TypeLayout layout) =>
        layout.IsOpen ? "an abstract type" : layout.IsEnum ? "an enum" : layout.IsValue ? "a struct" : "a class";
}
