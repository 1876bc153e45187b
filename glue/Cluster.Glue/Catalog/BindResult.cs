using Cluster.Glue.Wire;

namespace Cluster.Glue.Catalog;

/// <summary>The result of binding a method handle or name: the method, perhaps in the form whose messages describe
/// their types, or why calls of it are refused. Immutable.</summary>
internal readonly record struct BindResult(ServedMethod? Method, GlueErrorCode Code, string? Reason)
{
    public static BindResult Accepted(ServedMethod method) => new(method, GlueErrorCode.Unknown, null);

    /// <summary>Refuses calls, for a reason that may quote names which the caller has sent.</summary>
    public static BindResult Refused(GlueErrorCode code, string reason) => new(null, code, LogText.Clean(reason));

    public GlueException ToException() => new(GlueErrorKind.Refused, GlueDelivery.NotDelivered, Code, Reason!);

    /// <summary>The difference that the caller is told; null when the method is the same on both sides.</summary>
    public BindResults.Difference? ToDifference(int handle)
    {
        if (Method is null)
            return new BindResults.Difference(handle, true, Code, Reason!, []);
        if (!Method.IsDescribed)
            return null;
        var result = Method.Owner.Serializer.DescriptionOf(Method.Contract.ResultType);
        return new BindResults.Difference(handle, false, GlueErrorCode.Unknown, string.Empty, result);
    }

    /// <summary>The results for a group of methods.</summary>
    public static BindResults ToBindResults(int firstHandle, BindResult[] bindResults)
    {
        var differences = new List<BindResults.Difference>();
        for (var i = 0; i < bindResults.Length; i++)
        {
            if (bindResults[i].ToDifference(firstHandle + i) is { } difference)
                differences.Add(difference);
        }

        return new BindResults(firstHandle, [.. differences]);
    }
}
