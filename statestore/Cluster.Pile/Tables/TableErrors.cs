namespace Cluster.Pile.Tables;

/// <summary>Creates the exceptions of tables of records, outside of the hot methods so that those stay small.
/// Stateless.</summary>
internal static class TableErrors
{
    [DoesNotReturn]
    public static void OtherRecordTable(string name, string what, object found, object asked) =>
        throw new InvalidOperationException(
            $"The table {name} is there already and has other {what}: {found} was found and {asked} asked for. Ask for "
            + "what is there, or use another name.");
}
