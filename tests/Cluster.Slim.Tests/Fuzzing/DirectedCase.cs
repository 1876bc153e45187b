namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>One refusal that every run makes, so that no rule depends on what random mutations happen to meet: built
/// for the rule, which alone may refuse it, and whose words it shows.</summary>
/// <param name="Rule">The rule, by the name that <see cref="RefusalRules.NameOf"/> gives it.</param>
/// <param name="Says">A part of what it says.</param>
/// <param name="Act">Reads or writes what the rule refuses.</param>
internal sealed record DirectedCase(string Rule, string Says, Action Act)
{
    /// <summary>A message that is read as the type.</summary>
    public static DirectedCase Read<T>(string rule, string says, Forge message, SlimOptions? options = null)
    {
        SlimSerializer slim = new(options ?? new SlimOptions());
        var bytes = message.Done();
        return new DirectedCase(rule, says, () => slim.Deserialize<T>(bytes));
    }

    /// <summary>The message of a value, with other bytes at its end.</summary>
    public static DirectedCase Damaged<T>(
        string rule, string says, T value, byte[] end, SlimOptions? options = null) => Ended(
            rule, says, value, end.Length, new Forge().Bytes(end), options);

    /// <summary>The message of a value, of whose end some bytes are replaced by others.</summary>
    public static DirectedCase Ended<T>(
        string rule, string says, T value, int dropped, Forge end, SlimOptions? options = null) => Read<T>(
            rule,
            says,
            Forge.After(new SlimSerializer(options ?? new SlimOptions()).Serialize(value), dropped).Bytes(end.Done()),
            options);
}
