/// <summary>A type that has no namespace, as in small programs.</summary>
[SuppressMessage("Design", "CA1050", Justification = "What the test is about.")]
internal sealed class TypeWithoutNamespace
{
    public int Value;
}
