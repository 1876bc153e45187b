namespace Shop.Orders;

/// <summary>A company that orders, represented by a person. Not thread-safe.</summary>
/// <remarks>States a company.</remarks>
/// <param name="name">The company's name.</param>
/// <param name="taxNumber">For the invoice.</param>
/// <param name="contact">Who speaks for it.</param>
public sealed class CompanyCustomer(string name, string taxNumber, PrivateCustomer contact) : Customer(name)
{

    /// <summary>For the invoice.</summary>
    public string TaxNumber { get; } = taxNumber;

    /// <summary>Who speaks for it.</summary>
    public PrivateCustomer Contact { get; } = contact;
}
