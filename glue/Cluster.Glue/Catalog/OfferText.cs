using Cluster.Glue.Signatures;

namespace Cluster.Glue.Catalog;

/// <summary>Names in a refusal what the server offers instead: a bounded number of contracts or methods.
/// Pure.</summary>
internal static class OfferText
{
    /// <summary>The most contracts or methods that one refusal names.</summary>
    public const int CountMax = 8;

    /// <summary>The most characters of one name or signature, so that the whole refusal fits a line of a log.</summary>
    public const int NameLengthMax = 160;

    /// <summary>The contracts that a caller may use. The caller learns nothing of the others.</summary>
    public static string OfContracts(IEnumerable<ServedContract> open) =>
        List("It offers no contract to this caller.", open.Select(contract => contract.Description.Name));

    /// <summary>The methods of a contract.</summary>
    public static string OfMethods(ServedContract contract) =>
        List("The contract has no methods there.", contract.Description.Methods.Select(SignatureOf));

    /// <summary>The methods of one name whose types differ from the caller's.</summary>
    public static string OfOverloads(ServedContract contract, string name) =>
        List(
            "It offers none of that name.",
            contract.Description.Methods.Where(method => method.Method.Name == name).Select(SignatureOf));

    /// <summary>Cleans a name that a caller has sent.</summary>
    public static string NameOf(string? sent) => LogText.Clean(sent, NameLengthMax);

    private static string SignatureOf(ContractMethod method) => $"{method.Method.Name}{method.TypesText}";

    private static string List(string nothing, IEnumerable<string> names)
    {
        string[] all = [.. names.Order(StringComparer.Ordinal)];
        if (all.Length == 0)
            return nothing;
        var listed = string.Join("; ", all.Take(CountMax).Select(NameOf));
        return all.Length <= CountMax
            ? $"It offers: {listed}."
            : $"It offers: {listed}; and {all.Length - CountMax} more.";
    }
}
