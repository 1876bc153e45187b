namespace Shop.Catalog;

/// <summary>Checks that an answer of the catalog is about the requested package and that its references are intact.
/// Stateless.</summary>
public static class NeighbourhoodCheck
{
    /// <summary>Describes the first problem of an answer; <c>null</c> if there is none.</summary>
    /// <param name="answer">The result of <see cref="ICatalog.ExploreAsync"/>.</param>
    /// <param name="package">The package that the caller asked for.</param>
    public static string? FindProblem(Neighbourhood? answer, string package)
    {
        if (answer is null)
            return "is missing";

        if (answer.Root.Name != package)
            return $"has the root {answer.Root.Name}";

        return DependencyProblem(answer.Root) ?? DependentProblem(answer.Root);
    }

    private static string? DependencyProblem(Package root)
    {
        foreach (var dependency in root.Dependencies)
        {
            if (dependency.Dependent != root)
                return $"has a dependency on {dependency.Name} that does not lead back to the root object";

            if (dependency is Requirement requirement && !requirement.Target.Dependents.Contains(root))
                return $"needs {requirement.Name}, which does not know it";
        }

        return null;
    }

    private static string? DependentProblem(Package root)
    {
        foreach (var dependent in root.Dependents)
        {
            if (!dependent.Dependencies.Any(dependency => LeadsTo(dependency, root)))
                return $"has the dependent {dependent.Name}, which does not need the root object";
        }

        return null;
    }

    private static bool LeadsTo(Dependency dependency, Package root) => dependency switch
    {
        Requirement requirement => requirement.Target == root,
        Alternative alternative => alternative.Choices.Any(choice => LeadsTo(choice, root)),
        _ => false,
    };
}
